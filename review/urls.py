"""The addresses of the desk, below /desk/. All are closed to who is not signed in or has no role (access.py)."""

from django.urls import include, path

from .views import (
    activity,
    acts,
    assigning,
    comments,
    desk,
    editor,
    history,
    inbox,
    people,
    preview,
    queue,
    related,
    reviewing,
)

app_name = "review"

editor_pages = [
    path("new/", editor.new, name="new"),
    path("cases/<str:id>/edit/", editor.edit, name="edit"),
    path("cases/<str:id>/save/", editor.save, name="save"),
    path("autosave/", editor.autosave, name="autosave"),
    path("working-copies/<int:pk>/discard/", editor.discard, name="discard"),
    path("token/", editor.token, name="token"),
    path("vocabulary/", editor.vocabulary, name="vocabulary"),
    path("warnings/", editor.warnings, name="warnings"),
]

case_pages = [
    path("", desk.manuscript, name="manuscript"),
    path("preview/<str:language>/", preview.preview, name="preview"),
    path("history/", history.history, name="history"),
    path("history/<int:before>/<int:after>/", history.compared, name="compared"),
    path("history/<int:number>/restore/", acts.restore, name="restore"),
    path("comments/", comments.comments, name="comments"),
    path("comments/<int:pk>/reply/", comments.reply, name="reply"),
    path("comments/<int:pk>/resolve/", comments.resolve, name="resolve"),
    path("comments/<int:pk>/take-up/", comments.take_up, name="take-up"),
    path("activity/", activity.of_case, name="activity"),
    path("review/<str:language>/", reviewing.review, name="review"),
    path("review/<str:language>/decide/", reviewing.decide, name="decide"),
    path("review/<str:language>/submit/", reviewing.submit, name="submit"),
    path("review/<str:language>/withdraw-submission/", reviewing.withdraw_submission, name="withdraw-submission"),
    path("review/<str:language>/assign/", assigning.assign, name="assign"),
    path("review/<str:language>/unassign/", assigning.unassign, name="unassign"),
    path("publish/", acts.publish, name="publish"),
    path("withdraw/", acts.withdraw, name="withdraw"),
    path("undo-withdrawal/", acts.undo_withdrawal, name="undo-withdrawal"),
    path("merge/", acts.merge, name="merge"),
    path("undo-merge/", acts.undo_merge, name="undo-merge"),
    path("related/", related.related, name="related"),
    path("related/unpair/", related.unpair, name="unpair"),
    path("archive/", acts.archive, name="archive"),
    path("reopen/", acts.reopen, name="reopen"),
]

people_pages = [
    path("", people.people, name="people"),
    path("invite/", people.invite, name="invite"),
    path("<int:pk>/", people.person, name="person"),
    path("<int:pk>/activity/", activity.of_person, name="person-activity"),
    path("<int:pk>/deactivate/", people.deactivate, name="deactivate"),
    path("<int:pk>/reactivate/", people.reactivate, name="reactivate"),
    path("<int:pk>/renew-invitation/", people.renew_invitation, name="renew-invitation"),
]

inbox_pages = [
    path("", inbox.inbox, name="inbox"),
    path("<int:pk>/open/", inbox.open_notice, name="open-notice"),
    path("read-all/", inbox.read_all, name="read-all"),
    path("preferences/", inbox.preferences, name="preferences"),
]

urlpatterns = [
    path("", desk.desk_home, name="home"),
    path("queue/", queue.queue, name="queue"),
    path("queue/bulk/", queue.bulk, name="bulk"),
    path("matrix/", queue.table, name="matrix"),
    *editor_pages,
    path("cases/<str:id>/", include(case_pages)),
    path("inbox/", include(inbox_pages)),
    path("people/", include(people_pages)),
]
