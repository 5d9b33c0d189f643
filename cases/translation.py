"""Which columns exist once for each language: of ``title``, modeltranslation makes ``title_en`` and ``title_ko``."""

from modeltranslation.translator import TranslationOptions, register

from .models import ActionItem, Case, CaseCheck, Check, Claim, Event, Org, Remediation, Term, Window


@register(Case)
class CaseTranslation(TranslationOptions):
    fields = (
        "title",
        "summary",
        "trigger",
        "detection",
        "lessons",
        "symptoms_text",
        "impact_scope",
        "impact_users",
        "impact_region",
        "withdrawn_reason",
    )


@register([Event, Remediation, ActionItem])
class TextTranslation(TranslationOptions):
    fields = ("text",)


@register(Window)
class WindowTranslation(TranslationOptions):
    fields = ("region",)


@register(Claim)
class ClaimTranslation(TranslationOptions):
    fields = ("note",)


@register(CaseCheck)
class CaseCheckTranslation(TranslationOptions):
    fields = ("question", "how")


@register(Term)
class TermTranslation(TranslationOptions):
    fields = ("label", "definition")


@register(Org)
class OrgTranslation(TranslationOptions):
    fields = ("label",)


@register(Check)
class CheckTranslation(TranslationOptions):
    fields = ("question", "why", "how", "bad_answer")
