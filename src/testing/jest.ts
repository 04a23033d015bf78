/** Name this module in `setupFilesAfterEnv`, and every test has the matchers. */
import { type Expectations, matchers } from './index.ts'

// jest gives every test file its `expect`; there is no module to import it from here.
declare const expect: { extend(added: typeof matchers): void }

expect.extend(matchers)

declare global {
  namespace jest {
    // The name and the parameters are those of jest.
    interface Matchers<R, T> extends Expectations<R> {
      // The engines declare matchers of these names, which would hide ours.
      toHaveResource(...given: Parameters<Expectations<R>['toHaveResource']>): R
      toHaveDataSource(...given: Parameters<Expectations<R>['toHaveDataSource']>): R
      toHaveProvider(...given: Parameters<Expectations<R>['toHaveProvider']>): R
    }
  }
}
