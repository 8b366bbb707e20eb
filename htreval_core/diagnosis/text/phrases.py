"""The phrases that assistants use in six languages when they are asked to transcribe a page."""

import re
from enum import Enum


class Says(Enum):
    """What a phrase of talk does."""

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
_PATTERNS: tuple[tuple[Says, str, str], ...] = (
    # English
    (Says.REFUSES, "sorry|afraid",
     r"\bI(?:['’]?m| am) (?:very |so |really )?(?:sorry|afraid),?" + _NEAR),
    (Says.REFUSES, "able to",
     r"\bI(?:['’]?m| am) (?:unable|not able) to " + _NEAR),
    (Says.REFUSES, "i can|i could|i won",
     r"\bI (?:can ?not|can['’]?t|could not|couldn['’]?t|won['’]?t be able to) "
     r"(?:\w+ )?(?:read|transcribe|see|view|process|make out|assist|help with|"
     r"provide|identify|decipher|extract|access|help)\b"),
    (Says.REFUSES, "sorry|unfortunately|apolog",
     r"\b(?:sorry|unfortunately|apologies|I apologi[sz]e),? (?:but )?"
     r"(?:I|the|this|it|for)\b" + _NEAR),
    (Says.REFUSES, "unable to",
     r"\bunable to (?:read|transcribe|process|extract|decipher|recogni[sz]e)\b"),
    (Says.REFUSES, "as an ai",
     r"\bas an AI\b"),
    (Says.REFUSES, "readable|legible|visible|discernible|recogni",
     r"\b(?:no|any) (?:readable|legible|visible|discernible|recogni[sz]able) "
     r"(?:text|writing|words|content)\b"),
    (Says.REFUSES, "blank|empty|illegible|blurr|unreadable|too ",
     r"\b(?:the|this) (?:image|page|scan|handwriting) (?:provided )?(?:is|appears to be|seems to "
     r"be) (?:\w+ )?(?:blank|empty|illegible|blurry|blurred|unreadable|too )"),
    (Says.DESCRIBES, "image|scan|photo|picture",
     r"\b(?:the|this) (?:[\w-]+ )?(?:image|scan|photo|photograph|picture) (?:(?:that "
     r")?(?:you(?:['’]ve| have)? )?(?:provided|uploaded|shared|sent|above|attached) )?(?:shows|"
     r"appears|contains|depicts|displays|features|is an?|seems|does|you|provided)\b"),
    (Says.PRESENTS, "transcri|text",
     r"\bhere(?: is|['’]?s) (?:the|a|an|my|your|what) " + _ADJECTIVES +
     r"(?:transcriptions?|transcript|text|transcribed)\b"),
    (Says.PRESENTS, "transcript",
     r"\b(?:below|the following) is (?:the|a|an|my) " + _ADJECTIVES +
     r"(?:transcription|transcript)\b"),
    (Says.PRESENTS, "let me know|feel free|hesitate",
     r"\b(?:let me know|feel free|hesitate)\b[^\n]{0,80}\b(?:help|further|assist|"
     r"clarif|changes|correct|questions|anything else|adjust|transcri)"),
    (Says.PRESENTS, "transcription",
     r"\b(?:this|the|my|above) (?:\w+ )?transcription (?:is|of|has|may|was|"
     r"preserves|follows|above|provided)\b"),
    (Says.PRESENTS, "transcribed|preserved|marked|kept the",
     r"\bI(?:['’]ve| have) (?:transcribed|preserved|marked|kept the)\b"),
    (Says.PRESENTS, "note",
     r"\bnote:? (?:that )?(?:some|the|a few|certain|words|parts|this)\b" + _NEAR),
    (Says.PRESENTS, "if you",
     r"\bif you(?: can|['’]d like| would like| need| could)\b" + _NEAR),
    (Says.PRESENTS, "i hope|anything else you|would you like|happy to help",
     r"\bI hope (?:this|that|it) helps\b|\banything else you\b|"
     r"\bwould you like (?:me|a|an|the)\b|\bhappy to help\b"),
    (Says.PRESENTS, "transcript",
     r"\[?\bend of (?:the )?(?:transcription|transcript)\b\]?"),
    # Blank, in any of them
    (Says.REFUSES, "blank|empty|vide|vierge|leer|blanco|vacía|vuota|bianca|leeg",
     r"\b(?:page|image|seite|página|pagina|imagen|bild) (?:[\w-]+ ){0,4}(?:blank|empty|vide|vierge|"
     r"leer|en blanco|vacía|vuota|bianca|leeg)\b"),
    # French
    (Says.REFUSES, "désolé|regrette",
     r"\b(?:je (?:suis )?(?:vraiment )?(?:désolée?|regrette)|désolée?,)" + _NEAR),
    (Says.REFUSES, "je ne ",
     r"\bje ne (?:peux|puis|parviens|suis)(?: malheureusement)? pas (?:en mesure (?:de |"
     r"d['’]))?(?:à )?(?:lire|transcrire|voir|déchiffrer|traiter|identifier|vous aider)"),
    (Says.DESCRIBES, "image ",
     r"\b(?:l['’]|cette |votre )image (?:(?:que vous avez )?(?:fournie|jointe) )?"
     r"(?:montre|contient|présente|semble|est|ne|que|fournie)\b"),
    (Says.PRESENTS, "voici",
     r"\bvoici (?:la|une|le|un|votre) " + _ADJECTIVES +
     r"(?:transcription|texte)\b"),
    (Says.PRESENTS, "hésitez pas|si vous ",
     r"\bn['’]hésitez pas\b|\bsi vous (?:souhaitez|avez besoin|pouvez)" + _NEAR),
    # German
    (Says.REFUSES, "tut mir",
     r"\b(?:es )?tut mir (?:sehr )?leid\b,?" + _NEAR),
    (Says.REFUSES, "leider",
     r"\bleider (?:kann|konnte|ist|sind|war)\b" + _NEAR),
    (Says.REFUSES, "ich kann|ich konnte",
     r"\bich (?:kann|konnte) [^\n.]{0,40}(?:bild|seite|text|schrift|dokument|dabei)"
     r"[^\n.]{0,40}nicht (?:\w+ )?(?:lesen|entziffern|transkribieren|erkennen|sehen|"
     r"verarbeiten|helfen)\b"),
    (Says.DESCRIBES, "bild ",
     r"\b(?:das|dieses) (?:[\w-]+ )?bild (?:zeigt|enthält|scheint|ist|stellt)\b"),
    (Says.PRESENTS, "hier ist|hier finden|hier folgt",
     r"\bhier (?:ist|finden sie|folgt) (?:die|eine|der|das|ihre) " + _ADJECTIVES +
     r"(?:transkription|abschrift|umschrift|text|transkript)\b"),
    (Says.PRESENTS, "lassen sie|falls sie|wenn sie",
     r"\blassen sie (?:es )?mich\b[^\n]{0,40}wissen|\b(?:falls|wenn) sie\b"
     r"[^\n]{0,60}(?:benötigen|wünschen|möchten)\b"),
    # Spanish
    (Says.REFUSES, "lo siento",
     r"\blo siento\b,?" + _NEAR),
    (Says.REFUSES, "no puedo|posible",
     r"\bno (?:puedo|es posible|me es posible) (?:leer|transcribir|ver|procesar|descifrar|ayudar)"),
    (Says.DESCRIBES, "imagen",
     r"\b(?:la|esta) imagen (?:(?:que [^\n]{0,30})?(?:proporcionad|adjunt)a )?"
     r"(?:muestra|contiene|parece|presenta|es|no|proporcionada)\b"),
    (Says.PRESENTS, "aquí",
     r"\baquí (?:está|tienes?|va) (?:la|una|el|un) " + _ADJECTIVES +
     r"(?:transcripción|texto)\b"),
    (Says.PRESENTS, "si necesita|si desea|si puede|si quiere",
     r"\bsi (?:necesitas?|deseas?|puedes?|quieres?)\b" + _NEAR),
    # Italian
    (Says.REFUSES, "spiace",
     r"\bmi (?:di)?spiace\b,? (?:ma )?(?:non|il|l['’])" + _NEAR),
    (Says.REFUSES, "non posso|non riesco|non sono",
     r"\bnon (?:posso|riesco a|sono in grado di) (?:leggere|trascrivere|vedere|"
     r"elaborare|decifrare|aiutar)"),
    (Says.DESCRIBES, "immagine",
     r"\b(?:l['’]|questa )immagine (?:fornita )?(?:mostra|contiene|sembra|"
     r"presenta|è|non|fornita)\b"),
    (Says.PRESENTS, "ecco ",
     r"\becco (?:la|una|il|un) " + _ADJECTIVES + r"(?:trascrizione|testo)\b"),
    (Says.PRESENTS, "fammi sapere|se hai|se avete|se desideri|se vuoi",
     r"\bfammi sapere\b|\bse (?:hai|avete|desideri|vuoi)\b" + _NEAR),
    # Dutch
    (Says.REFUSES, "spijt|sorry, maar",
     r"\b(?:het spijt me|sorry, maar ik)\b" + _NEAR),
    (Says.REFUSES, "ik kan|kan ik",
     r"\b(?:helaas )?(?:ik kan|kan ik) [^\n.]{0,60}niet (?:lezen|transcriberen|"
     r"ontcijferen|zien|verwerken|bij helpen|helpen)\b"),
    (Says.DESCRIBES, "afbeelding",
     r"\b(?:de|deze) (?:[\w-]+ )?afbeelding (?:toont|bevat|laat|lijkt|is)\b"),
    (Says.PRESENTS, "hier is|hier volgt",
     r"\bhier (?:is|volgt) (?:de|een|het|uw) " + _ADJECTIVES +
     r"(?:transcriptie|tekst)\b"),
    (Says.PRESENTS, "laat ",
     r"\blaat (?:het )?(?:me|mij)(?: het)? weten\b"),
)  # fmt: skip
"""What a phrase does, what every match of its phrase has one of, and the phrase."""
PHRASES = tuple(
    (says, tuple(needed.split("|")), re.compile(pattern, re.IGNORECASE))
    for says, needed, pattern in _PATTERNS
)
"""The same, ready to be looked for. No phrase goes on into another line."""
TITLE = re.compile(
    r"\A\W*(?:\w+ ){0,2}(?:transcription|transcript|transkription|abschrift|"
    r"transcripción|trascrizione|transcriptie)(?: (?:of|de|du|der|des|von|van|del|"
    r"della) [^:\n]{1,80})?\W*(?::|\n)",
    re.IGNORECASE,
)
"""A title of its own, in any of them."""
_AS_LETTERS = str.maketrans("\u017f\u0131\u0130\u212a", "siik")
"""Signs that are letters of the alphabet where case is ignored, though not in lower case."""


def folded(text: str) -> str:
    """A text, as long as it was, in which what every match of a phrase has can be found."""
    return text.translate(_AS_LETTERS).lower()
