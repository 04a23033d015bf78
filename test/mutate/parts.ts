/** What `npm run mutate` changes, and the tests that must notice. When code or tests move, this table moves as well. */

export interface Part {
  readonly name: string
  readonly files: readonly string[]
  readonly except?: readonly string[]
}

export const parts: readonly Part[] = [
  { name: 'plan', files: ['src/core/plan/**/*.ts'], except: ['src/core/plan/guards/**'] },
  { name: 'guards', files: ['src/core/plan/guards/**/*.ts'] },
  { name: 'apply', files: ['src/core/apply/**/*.ts'] },
  { name: 'targeting', files: ['src/targeting/**/*.ts'] },
]

/** How many mutants of each part. */
export const drawn = 75

/** Tests that need no build and no process. The first ones meet the most mutants, so the fastest come first. */
export const tests: readonly string[] = [
  'test/{core,targeting}/**/*.test.ts',
  'test/{api,cty,model,report,rules,schema,services,yaml}/**/*.test.ts',
  'test/{scenario,property}/**/*.test.ts',
]
