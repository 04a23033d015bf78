import { pointerOf } from '../../model/json/pointer.ts'

/** A place inside an object as a JSON pointer: `filters.groups[0]`, `filters.groups.0` and `/filters/groups/0` are one. */
export function ignorePointer(path: string): string {
  if (path.startsWith('/')) return path
  return pointerOf(...path.replace(/\[(\d+)\]/g, '.$1').split('.'))
}
