"""Thresholds for other programs: annotations of GitHub's runners, and JUnit's XML."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from htreval_core.markup import escape
from htreval_core.metrics.catalog import METRICS
from htreval_core.scoring.study import Study
from htreval_core.show.tables.values import plain
from htreval_core.show.telling.counting import shown_value
from htreval_core.show.telling.pages import tell_pages
from htreval_core.show.telling.warnings import tell_warnings

_MOST_WARNINGS = 10
"""GitHub shows ten annotations of a kind for each step."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was asked of a result.

    Args:
        name: what was asked.
        said: the result in a sentence.
        value: what was found; nan where it is undefined, which fails.
    """

    system: str
    name: str
    said: str
    value: float
    failed: bool


def check_limits(
    study: Study, limits: Mapping[str, float], *, all_pages: bool = False
) -> list[Check]:
    """Whether the corpus value of every system stays within its limit; an undefined one does not.

    Args:
        limits: the largest fraction allowed, by metric.
        all_pages: values of all pages of each system, not of those that all systems have read.
    """
    narrowed = study if all_pages else study.on_common_pages()
    checks: list[Check] = []
    for name, limit in limits.items():
        for system, corpus in narrowed.corpora.items():
            value = corpus.estimates[name].value
            asked = f"{name} at most {limit:g}"
            if math.isnan(value):
                checks.append(Check(system, asked, f"{name} of {system} is undefined", value, True))
            else:
                sign = ">" if value > limit else "<="
                said = f"{name} of {system} is {value:.4f} {sign} {limit:g}"
                checks.append(Check(system, asked, said, value, value > limit))
    return checks


def github_annotations(study: Study, checks: Sequence[Check], *, all_pages: bool = False) -> str:
    """Workflow commands: a notice a system, an error a failed check, a warning a problem of data.

    See https://docs.github.com/actions/reference/workflow-commands-for-github-actions

    Args:
        checks: as ``check_limits`` gives them for the same pages.
        all_pages: values of all pages of each system, not of those that all systems have read.
    """
    said = tell_pages(study, all_pages=all_pages)
    lines = [_command("notice", "htreval", f"{said}.")] if said else []
    narrowed = study if all_pages else study.on_common_pages()
    for system, corpus in narrowed.corpora.items():
        shown = ", ".join(
            f"{METRICS[name].label} {shown_value(name, corpus.estimates[name].value)} %"
            for name in ("wer", "bwer", "delta_wer", "cer")
        )
        lines.append(_command("notice", f"htreval: {system}", f"{shown}. {study.signature}"))
    lines += [
        _command("error", f"htreval: {check.system}", check.said)
        for check in checks
        if check.failed
    ]
    told = tell_warnings(study.warnings)
    lines += [_command("warning", "htreval", warning) for warning in told[:_MOST_WARNINGS]]
    return "\n".join(lines) + "\n"


def _command(kind: str, title: str, message: str) -> str:
    """One workflow command; nothing in its text can begin another."""
    title = plain(title).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={title}::{plain(message).replace('%', '%25')}"


def junit_xml(study: Study, checks: Sequence[Check], *, all_pages: bool = False) -> str:
    """JUnit's XML: a suite for each system, a case for each check or, without checks, its scores.

    Args:
        checks: as ``check_limits`` gives them for the same pages.
        all_pages: values of all pages of each system, not of those that all systems have read.
    """
    suites = []
    narrowed = study if all_pages else study.on_common_pages()
    pages = "all" if narrowed is study else "common"
    for system, corpus in narrowed.corpora.items():
        own = [check for check in checks if check.system == system]
        cases = [
            f'    <testcase classname="{_xml(system)}" name="{_xml(check.name)}">'
            + (
                f'<failure message="{_xml(check.said)}"/>'
                if check.failed
                else f"<system-out>{_xml(check.said)}</system-out>"
            )
            + "</testcase>"
            for check in own
        ]
        values = [
            f'      <property name="{name}" value="{float(estimate.value)!r}"/>'
            for name, estimate in corpus.estimates.items()
            if not math.isnan(estimate.value)
        ]
        failures = sum(check.failed for check in own)
        suites += [
            f'  <testsuite name="{_xml(system)}" tests="{len(own)}" failures="{failures}">',
            "    <properties>",
            f'      <property name="signature" value="{_xml(study.signature)}"/>',
            f'      <property name="pages" value="{pages}"/>',
            f'      <property name="n_pages" value="{corpus.n_pages}"/>',
            *values,
            "    </properties>",
            *cases,
            "  </testsuite>",
        ]
    failures = sum(check.failed for check in checks)
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuites name="htreval" tests="{len(checks)}" failures="{failures}">',
            *suites,
            "</testsuites>",
            "",
        ]
    )


def _xml(text: str) -> str:
    return escape(plain(text))
