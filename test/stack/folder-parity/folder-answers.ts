import type { Engine, Scope } from '../../../src/hcl/language/expression.ts'
import { countOf } from '../../../src/hcl/values/number.ts'
import { undeclared } from '../../../src/hcl/values/type.ts'
import { ofNumber, ofText, type Typed } from '../../../src/hcl/values/typed.ts'
import { providerFunctions } from '../../../src/stack/evaluate/stack-scope.ts'
import { StackFiles } from '../../../src/stack/stack-file.ts'
import { installProvider } from '../../acceptance/support/installed.ts'
import { answerIn, type OurAnswer } from '../../hcl/language/our-answer.ts'
import { type Answer, outputsOf, terraformAnswers } from '../../hcl/language/terraform-answers.ts'
import { folderFiles, localOf, templates } from './folder.ts'

const locals: ReadonlyMap<string, Typed> = new Map([
  ...Object.entries(templates).map(([name, text]) => [localOf(name), ofText(text)] as const),
  ['number', ofNumber(countOf(1))] as const,
])

/** What we make of an expression in a folder that has the files. */
export function ourFolderAnswer(expression: string, folder: string, engine?: Engine): OurAnswer {
  const scope: Scope = {
    files: new StackFiles(folder),
    engine,
    functions: providerFunctions,
    find([root, name = '']) {
      const value = root === 'local' ? locals.get(name) : undefined
      if (value === undefined) throw undeclared(`nothing is called ${root}.${name}`)
      return { value, taken: 2 }
    },
  }
  return answerIn(expression, scope)
}

/** What the real Terraform, or another engine, makes of each, with the built provider at hand. */
export function terraformFolderAnswers(
  expressions: readonly string[],
  command = 'terraform',
): Promise<Readonly<Record<string, Answer>>> {
  const beside = { files: folderFiles, prepare: installProvider, command }
  return terraformAnswers(expressions, configurationOf, beside)
}

function configurationOf(expressions: readonly string[]): string {
  const read = Object.keys(templates).map(name => [localOf(name), `\${file("${name}")}`])
  const more = {
    terraform: { required_providers: { vexil: { source: 'vexil/vexil' } } },
    locals: { ...Object.fromEntries(read), number: 1 },
  }
  // Outputs are a line each, from the second on.
  return outputsOf(expressions).replace(/\}$/, `, ${JSON.stringify(more).slice(1)}`)
}
