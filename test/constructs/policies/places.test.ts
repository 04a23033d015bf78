import { describePolicyPlaces } from './policy-places.ts'

describePolicyPlaces()
