export { pointerOf, segmentsOf } from '../model/pointer.ts'
