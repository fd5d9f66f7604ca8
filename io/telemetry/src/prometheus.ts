import { type HrTime, ValueType } from '@opentelemetry/api'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { Resource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import type { HistogramCell, Instrument, Metrics, Reading } from './metrics.ts'

const SCOPE = { name: 'sealpost' }
/** No timestamps in the text format: a scrape has the time at which it was made. */
const UNTIMED: { startTime: HrTime; endTime: HrTime } = { startTime: [0, 0], endTime: [0, 0] }
const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)

export function prometheusText(metrics: Metrics, resource: Resource): string {
  const collected = [...metrics.instruments()].map(metricData)
  return `${serializer.serialize({ resource, scopeMetrics: [{ scope: SCOPE, metrics: collected }] })}\n`
}

function metricData(instrument: Instrument): MetricData {
  const common = {
    descriptor: { name: instrument.name, description: instrument.about, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  switch (instrument.kind) {
    case 'counter': {
      const dataPoints = [...instrument.series()].map(({ attributes, cell }) => point(attributes, cell.total))
      return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    }
    case 'histogram': {
      const dataPoints = [...instrument.series()].map(({ attributes, cell }) =>
        point(attributes, histogramValue(cell, instrument.boundaries)),
      )
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }
    }
    case 'observed': {
      const dataPoints = [...instrument.readings.values()].map((reading) => point(reading.attributes, readNow(reading)))
      return instrument.isMonotonic
        ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
        : { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
    }
  }
}

function point<T>(attributes: Reading['attributes'], value: T) {
  return { ...UNTIMED, attributes: { ...attributes }, value }
}

function histogramValue(cell: HistogramCell, boundaries: readonly number[]) {
  return { buckets: { boundaries: [...boundaries], counts: [...cell.counts] }, count: cell.count, sum: cell.sum }
}

/** One failing reading must not fail the whole scrape. */
function readNow(reading: Reading): number {
  try {
    return reading.read()
  } catch {
    return Number.NaN
  }
}
