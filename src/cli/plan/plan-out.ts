import { isPlanText } from '../../core/record/plan-file.ts'
import { writePrivately } from '../../core/record/run-folder.ts'
import { isValuesText, valuesName } from '../../core/record/sealed-plan.ts'
import { type OutPlace, openOutFile } from '../host/files/out-file.ts'
import type { Host } from '../host/host.ts'

/** Looks where the values of a plan are going to be saved, beside it. */
export function openValuesOut(host: Host, out: string): Promise<OutPlace> {
  const { hide } = host.secrets
  return openOutFile(host, {
    name: valuesName(out),
    failing: 'the values of the plan cannot be saved as',
    what: 'the values of a plan',
    isEarlier: isValuesText,
    write: (path, text, unfinished) => writePrivately(path, text, { hide, unfinished }),
  })
}

/** Looks where a plan is going to be saved, before any work goes into it. */
export function openPlanOut(host: Host, out: string): Promise<OutPlace> {
  const { hide } = host.secrets
  return openOutFile(host, {
    name: out,
    failing: 'the plan cannot be saved as',
    what: 'a plan',
    isEarlier: isPlanText,
    write: (path, text, unfinished) => writePrivately(path, text, { hide, unfinished }),
  })
}
