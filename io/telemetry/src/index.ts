export type { Attributes, Counter, Histogram, Log, Telemetry } from './telemetry.ts'
