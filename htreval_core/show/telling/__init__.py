"""All that htreval says in English: facts become sentences here, and only here."""
