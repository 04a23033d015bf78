import { isFull } from '../../suites.ts'

/** What the service does to the requests of a command line, as `vexil sandbox --fault` takes it. */
export const faults: readonly (readonly string[])[] = [
  [],
  ['GET /* times=1000 status=500'],
  ['nth=2 status=429'],
  ['nth=3 reset_before'],
  ['nth=2 times=1000 reset_after'],
  ['nth=2 truncate'],
  ['POST /* status=403', 'PATCH /* status=503 times=1000'],
]

/** All of them in the full suite. In another one each of several tests takes a part, so that together they have all. */
export function some<T>(all: readonly T[], nth: number, parts = 2): readonly T[] {
  return isFull() ? all : all.filter((_, index) => index % parts === nth % parts)
}
