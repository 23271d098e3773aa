import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A text that people read, and the line where it begins. */
export interface Text {
  readonly line: number;
  readonly text: string;
}

/** The placeholder of a value that is filled in when the text is shown. */
const VALUE = 'X';

/** The texts of a source file: its string literals that have more than one word, parts joined by `+` in one. */
export function readTexts(file: string): Text[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTaggedTemplateExpression(node)) return;
    const text = textOf(node);
    if (text === undefined) ts.forEachChild(node, visit);
    else if (/[a-z].*\s/i.test(text.trim()))
      texts.push({ line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, text });
  };
  visit(source);
  return texts;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => VALUE + literal.text).join('');
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  return undefined;
}
