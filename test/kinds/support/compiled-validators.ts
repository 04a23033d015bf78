import { validatorModule } from '../../../src/generate/emit.ts'

/** The validators of the kinds as a test has them: those that are committed know only the committed kinds. */
export async function compiledValidators(): Promise<object> {
  const text = Buffer.from(await validatorModule()).toString('base64')
  return import(/* @vite-ignore */ `data:text/javascript;base64,${text}`)
}
