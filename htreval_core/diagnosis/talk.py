"""What a model says of its own: refusals, prefaces and afterwords around a transcription.

The phrases are those that assistants use in six languages when they are asked to transcribe a page.
They are looked for in the output, and are no talk where the reference has nearly the same words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from rapidfuzz import fuzz

from htreval_core.diagnosis.model import Span

_ON_PAGE, _ON_PAGE_SHORT, _SHORT = 72.0, 88.0, 30
"""From this likeness on, in percent, to a stretch of the reference, is text of the page; a text of
fewer characters needs more."""
_LONGEST = 400
"""Characters that a sentence of talk has at most."""
_MOST_BETWEEN = 400
"""Characters between two sentences of talk that may be talk, too."""


class Says(Enum):
    """What a sentence of talk does."""

    REFUSES = "refuses"
    DESCRIBES = "describes"
    PRESENTS = "presents"


_THING = (
    r"(?:image|picture|photo|page|scan|document|text|word|transcri|handwrit|manuscript|script|"
    r"legib|illegib|read|bild|seite|aufnahme|handschrift|lesbar|abschrift|umschrift|schrift|"
    r"manuscrit|écriture|lisible|lire|imagen|página|texto|legible|manuscrit[oa]|escritura|leer|"
    r"immagine|pagina|testo|leggibil|manoscritt|grafia|leggere|afbeelding|tekst|leesba|lezen)"
)
"""What such sentences are about: an apology alone may stand in any letter."""
_NEAR = r"[^\n]{0,160}?\b" + _THING
_ADJECTIVES = r"(?:[^\s:.,;]+ ){0,4}?"
_PATTERNS: tuple[tuple[Says, str], ...] = (
    # English
    (Says.REFUSES, r"\bI(?:['’]?m| am) (?:very |so |really )?(?:sorry|afraid),?" + _NEAR),
    (Says.REFUSES, r"\bI(?:['’]?m| am) (?:unable|not able) to " + _NEAR),
    (Says.REFUSES, r"\bI (?:can ?not|can['’]?t|could not|couldn['’]?t|won['’]?t be able to) "
                   r"(?:\w+ )?(?:read|transcribe|see|view|process|make out|assist|help with|"
                   r"provide|identify|decipher|extract|access|help)\b"),
    (Says.REFUSES, r"\b(?:sorry|unfortunately|apologies|I apologi[sz]e),? (?:but )?"
                   r"(?:I|the|this|it|for)\b" + _NEAR),
    (Says.REFUSES, r"\bunable to (?:read|transcribe|process|extract|decipher|recogni[sz]e)\b"),
    (Says.REFUSES, r"\bas an AI\b"),
    (Says.REFUSES, r"\b(?:no|any) (?:readable|legible|visible|discernible|recogni[sz]able) "
                   r"(?:text|writing|words|content)\b"),
    (Says.REFUSES, r"\b(?:the|this) (?:image|page|scan|handwriting) (?:provided )?(?:is|appears to "
                   r"be|seems to be) (?:\w+ )?(?:blank|empty|illegible|blurry|blurred|unreadable|"
                   r"too )"),
    (Says.DESCRIBES, r"\b(?:the|this) (?:[\w-]+ )?(?:image|scan|photo|photograph|picture) "
                     r"(?:(?:that )?(?:you(?:['’]ve| have)? )?(?:provided|uploaded|shared|sent|"
                     r"above|attached) )?(?:shows|appears|contains|depicts|displays|features|"
                     r"is an?|"
                     r"seems|does|you|provided)\b"),
    (Says.PRESENTS, r"\bhere(?: is|['’]?s) (?:the|a|an|my|your|what) " + _ADJECTIVES +
                    r"(?:transcriptions?|transcript|text|transcribed)\b"),
    (Says.PRESENTS, r"\b(?:below|the following) is (?:the|a|an|my) " + _ADJECTIVES +
                    r"(?:transcription|transcript)\b"),
    (Says.PRESENTS, r"\b(?:let me know|feel free|hesitate)\b[^\n]{0,80}\b(?:help|further|assist|"
                    r"clarif|changes|correct|questions|anything else|adjust|transcri)"),
    (Says.PRESENTS, r"\b(?:this|the|my|above) (?:\w+ )?transcription (?:is|of|has|may|was|"
                    r"preserves|follows|above|provided)\b"),
    (Says.PRESENTS, r"\bI(?:['’]ve| have) (?:transcribed|preserved|marked|kept the)\b"),
    (Says.PRESENTS, r"\bnote:? (?:that )?(?:some|the|a few|certain|words|parts|this)\b" + _NEAR),
    (Says.PRESENTS, r"\bif you(?: can|['’]d like| would like| need| could)\b" + _NEAR),
    (Says.PRESENTS, r"\bI hope (?:this|that|it) helps\b|\banything else you\b|"
                    r"\bwould you like (?:me|a|an|the)\b|\bhappy to help\b"),
    (Says.PRESENTS, r"\[?\bend of (?:the )?(?:transcription|transcript)\b\]?"),
    # Blank, in any of them
    (Says.REFUSES, r"\b(?:page|image|seite|página|pagina|imagen|bild) (?:[\w-]+ ){0,4}(?:blank|"
                   r"empty|"
                   r"vide|vierge|leer|en blanco|vacía|vuota|bianca|leeg)\b"),
    # French
    (Says.REFUSES, r"\b(?:je (?:suis )?(?:vraiment )?(?:désolée?|regrette)|désolée?,)" + _NEAR),
    (Says.REFUSES, r"\bje ne (?:peux|puis|parviens|suis)(?: malheureusement)? pas (?:en mesure "
                   r"(?:de |d['’]))?(?:à )?(?:lire|transcrire|voir|déchiffrer|traiter|"
                   r"identifier|vous aider)"),
    (Says.DESCRIBES, r"\b(?:l['’]|cette |votre )image (?:(?:que vous avez )?(?:fournie|jointe) )?"
                     r"(?:montre|contient|présente|semble|est|ne|que|fournie)\b"),
    (Says.PRESENTS, r"\bvoici (?:la|une|le|un|votre) " + _ADJECTIVES +
                    r"(?:transcription|texte)\b"),
    (Says.PRESENTS, r"\bn['’]hésitez pas\b|\bsi vous (?:souhaitez|avez besoin|pouvez)" + _NEAR),
    # German
    (Says.REFUSES, r"\b(?:es )?tut mir (?:sehr )?leid\b,?" + _NEAR),
    (Says.REFUSES, r"\bleider (?:kann|konnte|ist|sind|war)\b" + _NEAR),
    (Says.REFUSES, r"\bich (?:kann|konnte) [^\n.]{0,40}(?:bild|seite|text|schrift|dokument|dabei)"
                   r"[^\n.]{0,40}nicht (?:\w+ )?(?:lesen|entziffern|transkribieren|erkennen|sehen|"
                   r"verarbeiten|helfen)\b"),
    (Says.DESCRIBES, r"\b(?:das|dieses) (?:[\w-]+ )?bild (?:zeigt|enthält|scheint|ist|stellt)\b"),
    (Says.PRESENTS, r"\bhier (?:ist|finden sie|folgt) (?:die|eine|der|das|ihre) " + _ADJECTIVES +
                    r"(?:transkription|abschrift|umschrift|text|transkript)\b"),
    (Says.PRESENTS, r"\blassen sie (?:es )?mich\b[^\n]{0,40}wissen|\b(?:falls|wenn) sie\b"
                    r"[^\n]{0,60}(?:benötigen|wünschen|möchten)\b"),
    # Spanish
    (Says.REFUSES, r"\blo siento\b,?" + _NEAR),
    (Says.REFUSES, r"\bno (?:puedo|es posible|me es posible) (?:leer|transcribir|ver|procesar|"
                   r"descifrar|ayudar)"),
    (Says.DESCRIBES, r"\b(?:la|esta) imagen (?:(?:que [^\n]{0,30})?(?:proporcionad|adjunt)a )?"
                     r"(?:muestra|contiene|parece|presenta|es|no|proporcionada)\b"),
    (Says.PRESENTS, r"\baquí (?:está|tienes?|va) (?:la|una|el|un) " + _ADJECTIVES +
                    r"(?:transcripción|texto)\b"),
    (Says.PRESENTS, r"\bsi (?:necesitas?|deseas?|puedes?|quieres?)\b" + _NEAR),
    # Italian
    (Says.REFUSES, r"\bmi (?:di)?spiace\b,? (?:ma )?(?:non|il|l['’])" + _NEAR),
    (Says.REFUSES, r"\bnon (?:posso|riesco a|sono in grado di) (?:leggere|trascrivere|vedere|"
                   r"elaborare|decifrare|aiutar)"),
    (Says.DESCRIBES, r"\b(?:l['’]|questa )immagine (?:fornita )?(?:mostra|contiene|sembra|"
                     r"presenta|è|non|fornita)\b"),
    (Says.PRESENTS, r"\becco (?:la|una|il|un) " + _ADJECTIVES + r"(?:trascrizione|testo)\b"),
    (Says.PRESENTS, r"\bfammi sapere\b|\bse (?:hai|avete|desideri|vuoi)\b" + _NEAR),
    # Dutch
    (Says.REFUSES, r"\b(?:het spijt me|sorry, maar ik)\b" + _NEAR),
    (Says.REFUSES, r"\b(?:helaas )?(?:ik kan|kan ik) [^\n.]{0,60}niet (?:lezen|transcriberen|"
                   r"ontcijferen|zien|verwerken|bij helpen|helpen)\b"),
    (Says.DESCRIBES, r"\b(?:de|deze) (?:[\w-]+ )?afbeelding (?:toont|bevat|laat|lijkt|is)\b"),
    (Says.PRESENTS, r"\bhier (?:is|volgt) (?:de|een|het|uw) " + _ADJECTIVES +
                    r"(?:transcriptie|tekst)\b"),
    (Says.PRESENTS, r"\blaat (?:het )?(?:me|mij)(?: het)? weten\b"),
    # A title of its own, in any of them
    (Says.PRESENTS, r"\A\W*(?:\w+ ){0,2}(?:transcription|transcript|transkription|abschrift|"
                    r"transcripción|trascrizione|transcriptie)(?: (?:of|de|du|der|des|von|van|del|"
                    r"della) [^:\n]{1,80})?\W*(?::|\n)"),
)  # fmt: skip
_TALK = tuple((says, re.compile(pattern, re.IGNORECASE)) for says, pattern in _PATTERNS)
_OF_THE_WORK = re.compile(
    r"transcri|trascri|transkri|\bocr\b|\bimages?\b|\bbild(?:e?s)?\b|imagen|immagin|afbeelding|"
    r"handwrit|handschrift|handgeschr|manuscrit|manuscript|manoscritt|legib|leserlich|lesbar|lisib|"
    r"leggib|leesba|extract|decipher|déchiffr|entziffer|descifr|decifr|ontcijfer|brackets|crochets|"
    r"klammern|corchetes|parentesi quadre|haken|\[\?\]|écriture|quality|qualität|calidad|"
    r"kwaliteit|upload|hochgeladen|attached|unscharf|blurr|resolution|\bAI\b|"
    r"(?:moderni[sz]ed|original) (?:version|spelling)",
    re.IGNORECASE,
)
"""Words for what a transcriber works on, that pages hardly have."""
_OF_THE_PAGE = re.compile(
    r"\b(?:texte?o?s?|testo|tekst|pages?|seite|página|pagina|documento?|dokument|scan|words|wörter|"
    r"mots|palabras|parole|woorden|writing|abschrift|umschrift|request|demande|anfrage|verzoek|"
    r"richiesta|solicitud)\b",
    re.IGNORECASE,
)
"""Words for the same that pages may have."""
_TO_SOMEBODY = re.compile(
    r"\b(?:I|I['’](?:m|ve|d|ll)|you|your|me|please|sorry|sure|of course|certainly|some|any|may|"
    r"je|vous|"
    r"aucune?|certaine?s|ich|sie|dir|ihnen|bitte|gerne?|leider|kein|einige|puedo|algun[oa]s|"
    r"ningun[oa]|"
    r"posso|alcune|nessuna?|ik|u|geen|sommige|is|are|est|ist|es|è|cannot|can['’]t)\b",
    re.IGNORECASE,
)
_TO_INTRODUCE = re.compile(
    r"\b(?:here(?: is| are|['’]s)|voici|hier (?:ist|is|sind|zijn|folgt|volgt)|aquí|ecco|reads?|"
    r"says|as "
    r"follows|following|lautet|folgende[rsn]?|suivante?|siguiente|seguente|recita|luidt|"
    r"(?:please )?note"
    r"|veuillez noter|beachten sie|tenga en cuenta|nota|let op|best attempt|found)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:no|not|cannot|can['’]t|don['’]t|unable|sorry|apolog\w+|illegible|pas|aucune?|"
    r"désolée?|nicht|"
    r"kein\w*|leid|leider|unleserlich|ning\w+|siento|non|nessuna?|dispiace|niet|geen|spijt|"
    r"onleesbaar)\b",
    re.IGNORECASE,
)
_FEW_WORDS = 12
_STEMS_OF_THE_WORK = (
    "transcri", "trascri", "transkri", "ocr", "image", "imagen", "immagin", "bild", "afbeelding",
    "handwrit", "handschr", "handges", "manuscri", "manoscri", "legib", "leserlich", "lesbar",
    "lisib", "leggib", "leesba", "extra", "decip", "decif", "descif", "déchif", "entzif", "ontcij",
    "bracket", "crochet", "klammer", "corchet", "quadre", "haken", "[?]", "écriture", "qualit",
    "calidad", "kwalit", "upload", "hochge", "attach", "unscharf", "blurr", "resolut", "version",
    "spelling", "picture", "photo",
)  # fmt: skip
_STEMS_OF_THE_PAGE = (
    "text", "test", "tekst", "page", "seite", "página", "pagina", "docum", "dokum", "scan", "word",
    "wörter", "mots", "palabras", "parole", "writing", "schrift", "request", "demande", "anfrage",
    "verzoek", "richiest", "solicitud",
)  # fmt: skip
_STEMS_OF_TALK = (
    "sorry", "unable", "not able", "afraid", "apolog", "unfortunately", "as an ai", "let me know",
    "feel free", "hope this", "anything else", "would you like", "happy to", "désolé", "je ne p",
    "regrette", "hésitez", "tut mir", "leider", "ich kann", "lassen sie", "lo siento", "no puedo",
    "spiace", "non posso", "non riesco", "non sono", "fammi", "spijt", "kan ik", "ik kan", "laat ",
    "i cannot", "i can't", "i can’t", "i could", "voici", "hier ist", "hier is", "hier f", "hier v",
    "aquí", "ecco", "here is the text", "here is your", "blank", "empty", "vide", "vierge", "leer",
    "blanco", "vacía", "vuota", "bianca", "leeg", "no text", "any text", "falls sie", "wenn sie",
)  # fmt: skip
"""No sentence of talk is without one of these, which are found sooner than the phrases are."""
_MOST_AT_EDGES = 4
"""Sentences from the head and from the foot of an output that are looked at for what they say."""
_EDGE = 800
"""Characters that they have at most."""
_ALONE = re.compile(
    r"\W*(?:(?:this|the) )?(?:(?:page|image|"
    r"document) is )?(?:intentionally )?(?:blank(?: page)?|empty"
    r"(?: page)?|illegible|unreadable|no text(?: found| detected)?|page blanche|leere seite|"
    r"unleserlich|"
    r"página en blanco|ilegible|pagina (?:bianca|vuota)|illeggibile|lege pagina|onleesbaar)\W*",
    re.IGNORECASE,
)
"""What stands for a whole page of which nothing was read."""
_END_OF_SENTENCE = re.compile(r"[.!?](?=\s)|\n")
_ENDS = re.compile(r"[.!?:](?=[\s\"'”’)\]*_]|$)")


@dataclass(frozen=True, slots=True)
class Talk:
    """Words of the output that are about the page and not of it.

    Args:
        span: the words.
        says: what they do.
    """

    span: Span
    says: frozenset[Says]


def find_talk(
    ref_words: Sequence[str], hyp_words: Sequence[str], hyp_line_of: Sequence[int]
) -> list[Talk]:
    """The stretches of talk in an output, in their order.

    Args:
        hyp_line_of: the line of each word of the output.
    """
    text, starts = _joined(hyp_words, hyp_line_of)
    hits = _hits(text)
    if not hits:
        return []
    page = " ".join(ref_words).casefold()
    found: list[tuple[int, int, set[Says]]] = []
    for start, end, says in hits:
        # Where the reference says nearly the same, the words are those of the page.
        if _is_of_page(text[start:end], page):
            continue
        start, end = _sentence(text, start, end, page)
        if found and _belongs(text[found[-1][1] : start], page):
            found[-1] = found[-1][0], max(end, found[-1][1]), found[-1][2] | {says}
        else:
            found.append((start, end, {says}))
    talks = []
    for start, end, all_of in found:
        words = [k for k, at in enumerate(starts) if start <= at < end]
        if words:
            span = _with_rules(hyp_words, words[0], words[-1] + 1)
            talks.append(Talk(span, frozenset(all_of)))
    return talks


def _hits(text: str) -> list[tuple[int, int, Says]]:
    """Where an output may talk: by known phrases, and by what its first and last sentences say."""
    if len(text) <= _EDGE and _ALONE.fullmatch(text):
        return [(0, len(text), Says.REFUSES)]
    lower = text.lower()
    edges: set[tuple[int, int]] = set()
    if _has(lower[:_EDGE], (*_STEMS_OF_THE_WORK, *_STEMS_OF_THE_PAGE)):
        edges.update(_sentences(text, 0, _EDGE)[:_MOST_AT_EDGES])
    if _has(lower[-_EDGE:], (*_STEMS_OF_THE_WORK, *_STEMS_OF_THE_PAGE)):
        edges.update(_sentences(text, max(len(text) - _EDGE, 0), len(text))[-_MOST_AT_EDGES:])
    hits = [(*one, says) for one in edges if (says := _says(text[slice(*one)])) is not None]
    if hits or _has(lower, _STEMS_OF_THE_WORK) or _has(lower, _STEMS_OF_TALK):
        hits += [(*hit.span(), says) for says, one in _TALK for hit in one.finditer(text)]
    return sorted(hits, key=lambda hit: hit[:2])


def _has(text: str, stems: Sequence[str]) -> bool:
    return any(stem in text for stem in stems)


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the sentences of a stretch of text stand; a line's end ends one, too."""
    found: list[tuple[int, int]] = []
    ends = [mark.end() for mark in _END_OF_SENTENCE.finditer(text, start, end)]
    for last in dict.fromkeys([*ends, min(end, len(text))]):
        first = last - len(text[start:last].lstrip())
        if any(sign.isalnum() for sign in text[first:last]):
            found.append((first, last))
        start = last
    return found


def _says(sentence: str) -> Says | None:
    """What a sentence does if it speaks of the work of transcribing, to somebody."""
    work = len(set(_OF_THE_WORK.findall(sentence.lower())))
    page = bool(_OF_THE_PAGE.search(sentence))
    if not work and not page:
        return None
    introduces = bool(_TO_INTRODUCE.search(sentence))
    speaks = introduces or bool(_TO_SOMEBODY.search(sentence))
    is_title = sentence.rstrip("*_ ").endswith(":")
    if is_title and (work or page) and len(sentence.split()) <= _FEW_WORDS:
        return Says.PRESENTS
    if not (work >= 2 or (work and speaks)):
        denies = _DENIES.search(sentence) and _TO_SOMEBODY.search(sentence)
        if not (page and denies and len(sentence.split()) <= _FEW_WORDS):
            return None
    if introduces and not sentence.lower().startswith("no "):
        return Says.PRESENTS
    return Says.REFUSES if _DENIES.search(sentence) else Says.DESCRIBES


def _joined(words: Sequence[str], line_of: Sequence[int]) -> tuple[str, list[int]]:
    """The words as a text in lines, and where each of them begins."""
    parts: list[str] = []
    starts: list[int] = []
    at = 0
    for number, word in enumerate(words):
        if number:
            parts.append(" " if line_of[number] == line_of[number - 1] else "\n")
            at += 1
        starts.append(at)
        parts.append(word)
        at += len(word)
    return "".join(parts), starts


def _is_of_page(text: str, page: str) -> bool:
    least = _ON_PAGE if len(text) >= _SHORT else _ON_PAGE_SHORT
    return bool(page) and fuzz.partial_ratio(text.casefold(), page) >= least


def _sentence(text: str, start: int, end: int, page: str) -> tuple[int, int]:
    """From the beginning of the sentence that holds a stretch of text to its end.

    It ends with its line, too, unless what is left of it is no text of the page.
    """
    before = [mark.end() for mark in _ENDS.finditer(text, max(start - _LONGEST, 0), start)]
    first = max([0, text.rfind("\n", 0, start) + 1, *before])
    if not text[end - 1 : end].strip(":\n"):
        return first, end
    mark = _ENDS.search(text, end - 1, end + _LONGEST)
    last = mark.end() if mark else min(len(text), end + _LONGEST)
    line = text.find("\n", end)
    if 0 <= line < last and (mark is None or _is_of_page(text[line + 1 : last], page)):
        last = line
    return first, last


def _belongs(between: str, page: str) -> bool:
    """Whether what stands between two sentences of talk is talk."""
    said = between.strip()
    return not said or (len(said) <= _MOST_BETWEEN and not _is_of_page(said, page))


def _with_rules(words: Sequence[str], start: int, end: int) -> Span:
    """The span with rules and fences beside it, which are no words."""
    while end < len(words) and not any(sign.isalnum() for sign in words[end]):
        end += 1
    while start and not any(sign.isalnum() for sign in words[start - 1]):
        start -= 1
    return start, end
