"""Signing in, passwords and one's own programs, at /accounts/.

The names of the first are Django's own, which its views and the admin know; the others are written like them.
"""

from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_not_required
from django.urls import path
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from .views import accounts, programs

urlpatterns = [
    path("login/", accounts.SignIn.as_view(), name="login"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("language/", login_not_required(require_POST(set_language)), name="language"),
    path("password/", accounts.ChangePassword.as_view(), name="password_change"),
    path("reset/", accounts.reset_password, name="password_reset"),
    path("reset/sent/", accounts.reset_sent, name="password_reset_done"),
    path("reset/<uidb64>/<token>/", accounts.ChoosePassword.as_view(), name="password_reset_confirm"),
    path("programs/", programs.own, name="programs"),
    path("programs/new/", programs.new_program, name="new_program"),
    path("programs/<int:pk>/tokens/new/", programs.new_token, name="new_token"),
    path("tokens/<int:pk>/revoke/", programs.revoke_token, name="revoke_token"),
]
