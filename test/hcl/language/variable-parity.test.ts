import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { terraform } from '../../acceptance/support/binary.ts'
import { isFull } from '../../suites.ts'
import { arbitraryInput, arbitraryVariable } from './arbitrary-variable.ts'
import { isSameAnswer } from './fits.ts'
import { inputAnswer, variableAnswer } from './our-answer.ts'
import { recordedVariables as recorded, recordedInputs } from './recorded-answers.ts'
import {
  type Answer,
  type InputAnswer,
  terraformAnswers,
  terraformInputs,
  variablesOf,
} from './terraform-answers.ts'

/** What Terraform refuses because something empty, of any type, stands beside what is not. */
const onlyHere = ['{"type":"map(set(map(any)))","default":{"x y":[],"a":[{"1":"x","x y":"x","k":"x"}]}}']

function differences(answers: Readonly<Record<string, Answer>>) {
  return Object.entries(answers)
    .map(([variable, theirs]) => ({ variable, ours: variableAnswer(variable), theirs }))
    .filter(({ ours, theirs }) => !isSameAnswer(ours, theirs))
}

describe('variables with types, defaults of members and values of many forms', () => {
  it('come to what they come to in Terraform, value and type', () => {
    expect(Object.keys(recorded).length).toBeGreaterThan(15)
    expect(differences(recorded).map(({ variable }) => variable)).toEqual(onlyHere)
  })

  it.skipIf(!terraform || !isFull())('do so when the real Terraform is asked', async () => {
    const some = new Set(fc.sample(arbitraryVariable, { seed: 7, numRuns: 300 }))
    expect(differences(await terraformAnswers([...some], variablesOf))).toEqual([])
  })
})

function inputDifferences(answers: Readonly<Record<string, InputAnswer>>) {
  return Object.entries(answers)
    .map(([input, theirs]) => ({ input, ours: inputAnswer(input), theirs }))
    .filter(({ ours, theirs }) => !isSameAnswer(ours, theirs) || !isSensitiveAlike(ours, theirs))
}

function isSensitiveAlike(ours: InputAnswer, theirs: InputAnswer): boolean {
  if (ours === 'refused' || theirs === 'refused') return ours === theirs
  return isDeepStrictEqual(ours.sensitive, theirs.sensitive)
}

describe('what modules are called with, sensitive as a whole or in parts', () => {
  it('comes to what it comes to in Terraform: value, type, and which parts are sensitive', () => {
    expect(Object.keys(recordedInputs).length).toBeGreaterThan(15)
    expect(inputDifferences(recordedInputs)).toEqual([])
  })

  it.skipIf(!terraform || !isFull())('does so when the real Terraform is asked', async () => {
    const some = new Set(fc.sample(arbitraryInput, { seed: 7, numRuns: 150 }))
    expect(inputDifferences(await terraformInputs([...some]))).toEqual([])
  })
})
