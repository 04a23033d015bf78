import { describe } from 'vitest'
import { expectPlaces } from './expect-places.ts'

describe('the places of constructs', expectPlaces)
