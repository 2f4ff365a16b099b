import {
  isBinaryExpression,
  isConditionalExpression,
  isIfStatement,
  isPropertyAccessExpression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import type { Mutant } from './mutant.ts';

/**
 * What a mistake puts instead of an operator or a method: the bound moved, the answer turned, the other way of joining.
 */
const others: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
  floor: 'ceil',
  ceil: 'floor',
  find: 'findLast',
  findLast: 'find',
};

/** Every mutant of one source file: an operator or a method exchanged, a condition that always or never holds. */
export function mutantsOf(source: SourceFile, file: string): readonly Mutant[] {
  const mutants: Mutant[] = [];
  const add = (node: Node, instead: string): void => {
    const from = node.getStart(source);
    const line = source.text.slice(0, from).split('\n').length;
    mutants.push({ file, line, from, to: node.end, instead });
  };
  const exchange = (node: Node): void => {
    const other = others[source.text.slice(node.getStart(source), node.end)];
    if (other !== undefined) add(node, other);
  };
  const visit = (node: Node): void => {
    if (isBinaryExpression(node)) exchange(node.operatorToken);
    if (isPropertyAccessExpression(node)) exchange(node.name);
    const condition = conditionOf(node);
    if (condition !== undefined) add(condition, 'true');
    if (condition !== undefined) add(condition, 'false');
    node.forEachChild(visit);
  };
  visit(source);
  return mutants;
}

function conditionOf(node: Node): Node | undefined {
  if (isIfStatement(node)) return node.expression;
  return isConditionalExpression(node) ? node.condition : undefined;
}
