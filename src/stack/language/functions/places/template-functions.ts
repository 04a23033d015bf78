import {
  elsewhere,
  invalid,
  invalidToTerraform,
  undeclared,
  unsupported,
} from '../../../../cty/invalid-value.ts'
import { membersOf, nounOf, type Typed } from '../../../../cty/typed.ts'
import { isName } from '../../lex.ts'
import { parseTemplate } from '../../parse-expression.ts'
import { requireDeclared, type Scope } from '../../scope.ts'
import type { Expression } from '../../syntax.ts'
import { textOfFile } from './file-functions.ts'
import type { Files } from './files.ts'

/** Works an expression out. */
export type Evaluate = (expression: Expression, scope: Scope) => Typed

/** A template in a file, filled in with the variables that it is given and nothing else. */
export function fillFile(
  files: Files,
  path: string,
  variables: Typed,
  scope: Scope,
  evaluate: Evaluate,
): Typed {
  if (scope.isInTemplate) throw unsupported('a template within a template', elsewhere)
  return fillText(textOfFile(files, path), variables, scope, evaluate)
}

/** The same with a text that somebody has. */
export function fillText(text: string, variables: Typed, scope: Scope, evaluate: Evaluate): Typed {
  const named = membersOf(variables)
  if (!named) throw invalid(`its variables are ${nounOf(variables)} and not a map`)
  const stray = [...named.members.keys()].find(name => !isName(name))
  if (stray !== undefined) throw invalid(`${JSON.stringify(stray)} is no name of a variable`)
  const inside: Scope = {
    ...scope,
    isInTemplate: true,
    requireDeclared: undefined,
    declared: undefined,
    find([name = '']) {
      const value = named.members.get(name)
      if (value !== undefined) return { value, taken: 1 }
      throw undeclared(`the template asks for ${name}, which it is not given`)
    },
  }
  const template = parseTemplate(text)
  requireDeclared(template, inside)
  const filled = evaluate(template, inside)
  if (filled.plain === null) throw invalidToTerraform(scope.engine, 'the template comes to null')
  return filled
}
