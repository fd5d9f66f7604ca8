import { officeJourneys, serviceJourneys } from './company-journeys.ts'
import type { Journey } from './journey.ts'
import { personJourneys } from './person-journeys.ts'

export const journeys: readonly Journey[] = [...personJourneys, ...serviceJourneys, ...officeJourneys]
