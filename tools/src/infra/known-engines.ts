import { type Engines, readEngines } from '@sealpost/testkit/engines'

/** What `npm run infra` found; without it the command ends and says what to do. */
export function knownEngines(): Engines {
  try {
    return readEngines()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
