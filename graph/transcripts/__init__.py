"""Transcripts of recordings: captions and plain text as cues, sentences, speakers and agenda, each with its bytes."""
