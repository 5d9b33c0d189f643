"""The form of the editor: bound to a document, posted by a browser, and read as a document again. It saves nothing."""

from .case import PRESENT, CaseForm
from .complaints import Complaint
from .items import LISTS
from .part import ALL_SCOPES

__all__ = ["ALL_SCOPES", "LISTS", "PRESENT", "CaseForm", "Complaint"]
