// sanitize-html requires htmlparser2, an ES module. Jest refuses that while an import of it is still being linked, as happens
// when one graph of modules has both: so it is loaded once before each test file. Node itself needs no such step.
import 'sanitize-html';
