import { cdktfTraps } from '../../stack/trap-cases.ts'
import { describeOnEngine } from './on-engine.ts'

describeOnEngine(cdktfTraps)
