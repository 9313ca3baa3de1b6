-- Notes how texts are read: the embedded engine does not say it of an index.
ALTER TYPE Statement CUSTOM words = 'english';
