export { ATTRIBUTE_KEYS, type AttributeKey, type Attributes, type AttributeValue } from './attributes.ts'
export type { LogLevel } from './log.ts'
export {
  type LogLine,
  quietTelemetry,
  type RecordedSpan,
  recordingTelemetry,
  type RecordingTelemetry,
} from './recording.ts'
export { DEFAULT_TRACE_SAMPLE_RATIO, startTelemetry, type TelemetryOptions } from './start.ts'
export type { ActiveSpan, BoundCounter, BoundHistogram, Counter, Histogram, Log, Telemetry } from './telemetry.ts'
