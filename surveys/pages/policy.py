"""The page on which an admin labels a source: what a policy would change is shown before it is kept."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from privacy.policy.errors import DocumentInvalid, PolicyInvalid, SchemaInvalid
from privacy.policy.labels import Policy, policy_from
from privacy.policy.schema import Schema, schema_from
from surveys.models import Source
from surveys.pages.console_words import Words, policy_words
from surveys.pages.policy_examples import policy_examples
from surveys.pages.policy_exposure import exposed, exposure_digest
from surveys.pages.policy_form import document_posted, first_document, form_rows
from surveys.pages.policy_hints import NO_LIST, policy_hint
from surveys.pages.policy_prices import MOST, prices
from surveys.pages.policy_text import policy_read, policy_text
from surveys.pages.sources import source_context
from surveys.pages.sources_access import configuring_page
from surveys.services.queries import policies_of
from surveys.services.sources import source_policy_set

Document = Mapping[str, Any]
REFUSED = (DocumentInvalid, PolicyInvalid, SchemaInvalid)


@require_http_methods(["GET", "HEAD", "POST"])
@configuring_page
def policy(request: HttpRequest, source: Source) -> HttpResponse:
    """Show the labels of one entity kind, preview other ones, or keep them."""
    schema = schema_from(source.schema)
    kept = {one.entity: one for one in policies_of(source)} if source.policies.exists() else {}
    entity = _entity(request, schema, kept)
    page = _Page(request, source, schema, kept, entity)
    if request.method != "POST":
        return page.shown(page.now)
    try:
        document = page.posted()
        edited = policy_from(document, schema)
    except REFUSED as error:
        return page.refused(error)
    if request.POST.get("do") != "save" or not page.known(edited):
        return page.shown(document, edited)
    source_policy_set(actor=request.user, source=source, document=document)
    messages.success(
        request, gettext("Saved: a new version of the policy counts from now on."), extra_tags="good"
    )
    return redirect(f"{request.path}?entity={entity}")


class _Page:
    """One request to the page, and what it shows."""

    def __init__(
        self,
        request: HttpRequest,
        source: Source,
        schema: Schema,
        kept: Mapping[str, Policy],
        entity: str,
    ) -> None:
        self.request, self.source, self.schema, self.kept, self.entity = request, source, schema, kept, entity
        self.as_text = request.GET.get("as") == "text"

    @property
    def now(self) -> Document:
        """The document that counts now, or the first one of a new entity kind."""
        stored = self.source.policies.filter(entity=self.entity).order_by("-version").first()
        return first_document(self.entity, self.schema) if stored is None else stored.document

    def posted(self) -> Document:
        """Return the document that was posted, as a form or as a text."""
        if not self.as_text:
            return document_posted(self.request.POST, self.entity, self.schema)
        return policy_read(self.request.POST.get("text", ""), self.schema, self.source.schema, self.entity)

    def known(self, edited: Policy) -> bool:
        """Say whether what the policy makes public was shown and ticked, if it makes anything public."""
        found = exposed(self.kept, edited)
        return not found or self.request.POST.get("known") == exposure_digest(found)

    def refused(self, error: DocumentInvalid | PolicyInvalid | SchemaInvalid) -> HttpResponse:
        """Show what was posted, and where it is wrong."""
        wrong = str(error.place[1]) if len(error.place) > 1 else None
        document = self.now if self.as_text else document_posted(self.request.POST, self.entity, self.schema)
        told = {
            "reason": _reason(error, as_text=self.as_text),
            "place": ".".join(map(str, error.place)),
            "line": error.line,
            "hint": policy_hint(error.reason, as_text=self.as_text),
        }
        return self.shown(document, refusal=told, wrong=wrong)

    def shown(
        self,
        document: Document,
        edited: Policy | None = None,
        refusal: Mapping[str, Any] | None = None,
        wrong: str | None = None,
    ) -> HttpResponse:
        """Show the form, or the text, and the prices under the policy of now and the edited one."""
        queries = self._queries()
        typed = self.request.POST.get("text") if self.as_text else None
        found = exposed(self.kept, edited) if edited is not None else []
        context = {
            **source_context(self.request, self.source, "policy"),
            "entity": self.entity,
            "new": self.entity not in self.kept,
            "entities": list(self.kept),
            "others": [
                one.name for one in self.schema.relations.values() if one.key and one.name not in self.kept
            ],
            "as_text": self.as_text,
            "rows": form_rows(document, self.schema, wrong),
            "text": typed if typed is not None else policy_text(document),
            "refusal": refusal,
            "edited": edited is not None,
            "changed": edited is not None and edited != self.kept.get(self.entity),
            "exposed": found,
            "exposure": exposure_digest(found),
            "unticked": self.request.POST.get("do") == "save" and bool(found),
            "queries": "\n".join(queries),
            "most": MOST,
            "prices": prices(queries, self.kept.get(self.entity), edited),
        }
        return render(self.request, "surveys/pages/policy.html", context)

    def _queries(self) -> Sequence[str]:
        if "queries" not in self.request.POST:
            return policy_examples(self.source)
        lines = (line.strip() for line in self.request.POST["queries"].split("\n"))
        return [line for line in lines if line]


def _reason(error: DocumentInvalid | PolicyInvalid | SchemaInvalid, *, as_text: bool) -> Words:
    # Who ticked nothing wrote no list.
    if not as_text and error.place[-1:] == ("REP",) and error.reason == NO_LIST:
        return Words(gettext("no column is ticked"))
    return policy_words(error.reason)


def _entity(request: HttpRequest, schema: Schema, kept: Mapping[str, Policy]) -> str:
    """Return which entity kind the page is about: the one asked for, if it could be one, else the first."""
    asked = request.GET.get("entity", "")
    possible = asked in schema.relations and bool(schema.relations[asked].key)
    return asked if possible else next(iter(kept), next(iter(schema.relations)))
