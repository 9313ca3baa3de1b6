"""What is said in a recording: captions and plain text as cues, sentences, speakers and agenda, each with its bytes."""
