const RUNS_OF_A_QUICK_CHECK = 300

/** How many cases a property is tried on: few by default, `PROPERTY_RUNS=100000` for the full size. */
export function propertyRuns(): number {
  return Number(process.env['PROPERTY_RUNS'] ?? RUNS_OF_A_QUICK_CHECK)
}

/** For `fc.assert`. */
export const propertySettings = { numRuns: propertyRuns() }

/** Of a test with properties: enough for the full size. */
export const propertyLimits = { timeout: 3_600_000 }
