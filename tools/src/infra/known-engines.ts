import { type Engines, readEngines } from '@sealpost/testkit/engines'

/** The engines of `npm run infra`; exits with instructions when there are none. */
export function knownEngines(): Engines {
  try {
    return readEngines()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
