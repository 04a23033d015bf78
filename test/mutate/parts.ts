/** What `npm run mutate` changes, and the tests that must notice. When code or tests move, this table moves as well. */

export interface Part {
  readonly name: string
  readonly files: readonly string[]
}

export const parts: readonly Part[] = [
  { name: 'plan', files: ['src/core/{plan,summary,live-edits}/*.ts'] },
  { name: 'guards', files: ['src/core/plan/guards.ts', 'src/core/plan/block.ts'] },
  { name: 'apply', files: ['src/core/apply/**/*.ts'] },
  { name: 'targeting', files: ['src/targeting/**/*.ts'] },
]

/** How many mutants of each part. */
export const drawn = 75

/** Tests that need no build and no process. The first ones meet the most mutants, so the fastest come first. */
export const tests: readonly string[] = [
  'test/{core,targeting}/**/*.test.ts',
  'test/{api,hcl,model,report,rules,schema,services,yaml}/**/*.test.ts',
  'test/property/{compare,digits,edit-text,flag-tests,levels,merge-filters,risk,same-meaning,words}.test.ts',
  'test/scenario/**/*.test.ts',
]

/** Stories of clones, and commands in many rounds: each takes seconds, for each mutant that nothing else has killed. */
export const slowTests: readonly string[] = [
  'test/scenario/{month,stale}/**',
  'test/scenario/{retire,retire-command,reading-costs,whole-way}.test.ts',
  'test/scenario/live-edits/{clicks,history,measured,on-purpose,pipelines,pulled,repository,stacks}.test.ts',
]
