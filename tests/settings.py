"""The settings under test: those of a clone with no variable set, in a throw-away data folder."""

import atexit
import os
import shutil
import tempfile

# What the caller's shell has set for a site of theirs must not reach the tests; the database they choose does.
OWN = ("SITE_URL", "SECRET_KEY", "ALLOWED_HOSTS", "PROXY_COUNT", "DEBUG", "PORT", "PUBLISH_POLICY", "LOG_LEVEL")
for name in (*OWN, "EMAIL_HOST"):
    os.environ.pop(name, None)
os.environ["INCIDENTLIB_DATA"] = tempfile.mkdtemp(prefix="incidentlib-")
atexit.register(shutil.rmtree, os.environ["INCIDENTLIB_DATA"], ignore_errors=True)

from incidentlib.settings import *  # noqa: E402, F403 - the lines above decide what it reads
from incidentlib.settings import DATABASES, STATIC_ROOT, STORAGES  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
STATIC_ROOT.mkdir()  # WhiteNoise warns when there is nothing to serve
FINISHED_PAGES = 0  # a page from memory was made with no context that a test could look at
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A real file: in memory there is no WAL, and threads of a live server would lock each other out.
    DATABASES["default"]["TEST"] = {"NAME": f"{os.environ['INCIDENTLIB_DATA']}/test.sqlite3"}
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"
else:
    # How fast a busy machine answers is for the benchmarks to say, not for a test to fail at.
    OPTIONS = DATABASES["default"]["OPTIONS"]
    OPTIONS["options"] = OPTIONS["options"].replace("=5s", "=120s").replace("=10s", "=120s").replace("=2s", "=60s")
