"""Every table of the product, by what it knows: configuration, people, answers, results, queries, staff, workers."""

from surveys.models.account import Account
from surveys.models.audit import AuditEntry
from surveys.models.participation import Invitation, Organisation, Panel, Respondent
from surveys.models.query import Asking, Budget, QueryRun, Share, Source, SourcePolicy
from surveys.models.response import InboxReport, Report, Spent
from surveys.models.result import Estimate, Tally
from surveys.models.survey import Grant, Question, RetiredAddress, Survey, Version
from surveys.models.worker import WorkerSeen

__all__ = [
    "Account",
    "Asking",
    "AuditEntry",
    "Budget",
    "Estimate",
    "Grant",
    "InboxReport",
    "Invitation",
    "Organisation",
    "Panel",
    "QueryRun",
    "Question",
    "Report",
    "Respondent",
    "RetiredAddress",
    "Share",
    "Source",
    "SourcePolicy",
    "Spent",
    "Survey",
    "Tally",
    "Version",
    "WorkerSeen",
]
