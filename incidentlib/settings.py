"""All settings, read from top to bottom; what differs between sites comes from the environment (see README.md).

A clone runs with no variable set, for this machine only. A SITE_URL with https makes it a production site.
"""

import os
from importlib.util import find_spec
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from incidentlib import environment

BASE_DIR = Path(__file__).resolve().parent.parent

# Where everything that is written lies: the SQLite file, the secret key, collected static files, demo accounts.
DATA_DIR = environment.folder("INCIDENTLIB_DATA", BASE_DIR / "var")

# --- Site -------------------------------------------------------------------------------------------------------

PORT = environment.integer("PORT", 8000)
SITE_URL, SITE_HOST = environment.site_url("SITE_URL", f"http://127.0.0.1:{PORT}")
PRODUCTION = SITE_URL.startswith("https://")
LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "[::1]"]

if not PRODUCTION and SITE_HOST not in LOOPBACK_HOSTS:
    message = f"SITE_URL is {SITE_URL}: a site for others needs https; without it only this machine is served."
    raise ImproperlyConfigured(message)

DEBUG = environment.flag("DEBUG")
if DEBUG and PRODUCTION:
    message = "DEBUG shows the inside of the site to everybody: not with an https SITE_URL."
    raise ImproperlyConfigured(message)

SECRET_KEY = environment.secret_key("SECRET_KEY", DATA_DIR / "secret-key", required=PRODUCTION)
ALLOWED_HOSTS = [SITE_HOST, *environment.words("ALLOWED_HOSTS")] if PRODUCTION else LOOPBACK_HOSTS

# How many proxies in front of us are ours. Only then are their X-Forwarded-* headers believed.
PROXY_COUNT = environment.integer("PROXY_COUNT", 0)

# --- What the library publishes, and under which terms ----------------------------------------------------------

# A case may be published: "any" = as it is; "complete" = each language absent or complete; "approved" = and approved.
PUBLISH_POLICY = environment.choice("PUBLISH_POLICY", ("complete", "any", "approved"))
CONTENT_LICENSE_NAME = os.environ.get("CONTENT_LICENSE_NAME", "CC BY 4.0")
CONTENT_LICENSE_URL = os.environ.get("CONTENT_LICENSE_URL", "https://creativecommons.org/licenses/by/4.0/")

# Requests a minute from one address; None = no limit, as on a site that serves only its own machine.
API_RATE = environment.integer("API_RATE", 600) if PRODUCTION or "API_RATE" in os.environ else None
SEARCH_RATE = environment.integer("SEARCH_RATE", 300) if PRODUCTION or "SEARCH_RATE" in os.environ else None

# --- Applications -----------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "modeltranslation",  # before the admin, which it extends
    "cases",
    "incidentlib",
    "django.contrib.admin",
    "django.contrib.auth",
    *(["review"] if find_spec("review") else []),  # the public library stands without the desk
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",  # before staticfiles: development serves static files as production does
    "django.contrib.staticfiles",
    "csp",
    "django_filters",
]
if PRODUCTION:
    INSTALLED_APPS.append("axes")

# The signed-in part. Elsewhere are no sessions, accounts, messages and CSRF cookies (incidentlib/middleware.py).
DESK_PREFIXES = ("/desk/", "/accounts/", "/admin/")

MIDDLEWARE = [
    "incidentlib.middleware.finished_answers",
    "incidentlib.middleware.security_headers",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.common.CommonMiddleware",
    "incidentlib.middleware.language",
    "incidentlib.middleware.DeskSessionMiddleware",
    "incidentlib.middleware.DeskCsrfMiddleware",
    "incidentlib.middleware.DeskAuthenticationMiddleware",
    "incidentlib.middleware.DeskMessageMiddleware",
]
if "review" in INSTALLED_APPS:
    MIDDLEWARE.append("review.access.AccessMiddleware")  # every page of the desk is closed unless opened by name
if PRODUCTION:
    MIDDLEWARE.append("axes.middleware.AxesMiddleware")

ROOT_URLCONF = "incidentlib.urls"
WSGI_APPLICATION = "incidentlib.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                # Both do without a session: on public pages they give an anonymous user and no messages.
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- Database ---------------------------------------------------------------------------------------------------

# Public reads must never wait for a writer, and with IMMEDIATE every atomic block takes the write lock.
DATABASES = {"default": environment.database("DATABASE_URL", DATA_DIR / "incidentlib.sqlite3")}
DATABASES["default"] |= {"ATOMIC_REQUESTS": False, "CONN_MAX_AGE": 600}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Languages and time -----------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ko", _("Korean"))]
# Catalogs are compiled into the data folder (incidentlib/translation_files.py): the code may lie on a read-only disk.
LOCALE_PATHS = [BASE_DIR / "incidentlib" / "locale", DATA_DIR / "locale"]
FORMAT_MODULE_PATH = ["incidentlib.formats"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

MODELTRANSLATION_DEFAULT_LANGUAGE = "en"
MODELTRANSLATION_LANGUAGES = ("en", "ko")
MODELTRANSLATION_ENABLE_FALLBACKS = False  # a missing language is shown as missing

# --- Static files -----------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
WHITENOISE_ALLOW_ALL_ORIGINS = False  # the files are for our own pages
STATICFILES_DIRS = [BASE_DIR / "incidentlib" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# --- Accounts ---------------------------------------------------------------------------------------------------

LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/desk/"
LOGOUT_REDIRECT_URL = "/"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
if PRODUCTION:
    AUTHENTICATION_BACKENDS.insert(0, "axes.backends.AxesStandaloneBackend")
    PASSWORD_HASHERS.insert(0, "django.contrib.auth.hashers.Argon2PasswordHasher")
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 15}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

PASSWORD_RESET_TIMEOUT = 3 * 24 * 60 * 60

# django-axes: five wrong passwords lock one account for one address, for an hour.
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"
AXES_VERBOSE = False  # no greeting in the log of every command
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 1
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_IPWARE_PROXY_COUNT = PROXY_COUNT or None
AXES_IPWARE_META_PRECEDENCE_ORDER = ["HTTP_X_FORWARDED_FOR", "REMOTE_ADDR"] if PROXY_COUNT else ["REMOTE_ADDR"]

# Without a mail server, a site for one machine prints its mails; a production site sends none, because the links in
# them are secrets and the log is not: administrators hand the links of invitations over.
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_BACKEND = "django.core.mail.backends." + (
    "smtp.EmailBackend" if EMAIL_HOST else "dummy.EmailBackend" if PRODUCTION else "console.EmailBackend"
)
EMAIL_SECURITY = environment.choice("EMAIL_SECURITY", ("starttls", "ssl", "none"))
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL_SECURITY == "starttls", EMAIL_SECURITY == "ssl"
EMAIL_PORT = environment.integer("EMAIL_PORT", {"starttls": 587, "ssl": 465, "none": 25}[EMAIL_SECURITY])
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", f"IncidentLib <noreply@{SITE_HOST}>")

SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = PRODUCTION
SESSION_SAVE_EVERY_REQUEST = False  # a cached public page must never hand out a session
SESSION_COOKIE_NAME = "__Host-session" if PRODUCTION else "incidentlib_session"
CSRF_COOKIE_NAME = "__Host-csrf" if PRODUCTION else "incidentlib_csrf"
LANGUAGE_COOKIE_NAME = "__Host-language" if PRODUCTION else "incidentlib_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
SIGNED_COOKIE_LEGACY_SALT_FALLBACK = False

# --- Answers and requests ---------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = False  # other sites of the same domain are not ours to decide on
SECURE_SSL_REDIRECT = PRODUCTION
# Programs that speak plain http should fail at once, not send a second time what they already sent in the clear.
SECURE_REDIRECT_EXEMPT = [r"^api/", r"^mcp$", r"^healthz$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXY_COUNT else None

# How many finished public pages each process keeps until something changes: some ten megabytes.
FINISHED_PAGES = 256

# A long Korean text takes nine bytes a character when a form is encoded. The API reads its own, smaller, bodies.
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
DATA_UPLOAD_MAX_NUMBER_FILES = 5

SILENCED_SYSTEM_CHECKS = [
    "security.W002",  # X-Frame-Options comes from incidentlib.middleware.security_headers
    "security.W003",  # CSRF is checked by DeskCsrfMiddleware, where there are cookies to forge with
    "security.W005",  # HSTS for subdomains and the preload list (W021) are the domain owner's decision
    "security.W021",
]

# --- Logs -------------------------------------------------------------------------------------------------------

# The root handler also keeps the MCP SDK from configuring logging on its own.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "lines": {"()": "incidentlib.logs.JsonLines"},
        "plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines" if PRODUCTION else "plain"}},
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL", "INFO").upper()},
    # Django's own handlers go by DEBUG and mail; one place for everything is easier to watch.
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "mcp": {"level": "WARNING"},  # three lines for each request; cases.mcp writes one
    },
}
