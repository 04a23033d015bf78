/** Name this module in `setupFiles`, and every test has the matchers. */
import { expect } from 'vitest'
import { type Expectations, matchers } from './index.ts'

expect.extend(matchers)

declare module 'vitest' {
  // The name and the parameter are those of vitest.
  interface Matchers<T> extends Expectations<T> {}
}
