-- Gives a row where it is noted that the full-text indexes of the embedded engine know forms of English words.
SELECT name FROM schema:types WHERE name = 'Statement' AND `custom`.words = 'english';
