import { type AttributeValue, type Attributes, allowedAttributes } from './attributes.ts'
import type { Counter, Histogram } from './telemetry.ts'

/** Beyond this a label carries an unbounded value, and all further combinations are counted together. */
const SERIES_LIMIT = 2_000
const OVERFLOW = { 'otel.metric.overflow': true }
const NAME = /^[a-z][a-z0-9_]*$/
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const AMOUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000, 1_000_000]
const NO_ATTRIBUTES: Attributes = {}

export interface CounterCell {
  total: number
}

export interface HistogramCell {
  readonly counts: number[]
  count: number
  sum: number
}

interface Series<Cell> {
  readonly attributes: Readonly<Record<string, AttributeValue>>
  readonly cell: Cell
}

interface Described {
  readonly name: string
  readonly about: string
}

export type Instrument = Described &
  (
    | { readonly kind: 'counter'; readonly series: () => Iterable<Series<CounterCell>>; readonly counter: Counter }
    | {
        readonly kind: 'histogram'
        readonly boundaries: readonly number[]
        readonly series: () => Iterable<Series<HistogramCell>>
        readonly histogram: Histogram
      }
    | { readonly kind: 'observed'; readonly isMonotonic: boolean; readonly readings: Map<string, Reading> }
  )

export interface Reading {
  readonly attributes: Readonly<Record<string, AttributeValue>>
  readonly read: () => number
}

export interface Metrics {
  counter(name: string, about: string): Counter
  histogram(name: string, about: string, boundaries?: readonly number[]): Histogram
  /**
   * A number that is read at collection; monotonic ones (CPU seconds) are exported as counters. The last reader counts.
   */
  observe(name: string, about: string, read: () => number, attributes?: Attributes, isMonotonic?: boolean): void
  instruments(): Iterable<Instrument>
}

/**
 * Own counters: the OpenTelemetry SDK sorts and stringifies the attributes of every single `add` (1.1 to 1.4 µs
 * measured), and a request pays that several times. Here an `add` finds a number and changes it. The SDK's data model
 * is used at collection (prometheus.ts).
 */
export function openMetrics(): Metrics {
  const instruments = new Map<string, Instrument>()
  function register<Made extends Instrument>(made: Made): Made {
    if (!NAME.test(made.name)) throw new Error(`${made.name} is not a valid metric name: use lower_case_with_units`)
    if (instruments.has(made.name)) throw new Error(`two kinds of metric are called ${made.name}`)
    instruments.set(made.name, made)
    return made
  }
  return {
    counter(name, about) {
      const known = instruments.get(name)
      return known?.kind === 'counter' ? known.counter : register(newCounter(name, about)).counter
    },
    histogram(name, about, boundaries = name.endsWith('_seconds') ? SECONDS : AMOUNTS) {
      const known = instruments.get(name)
      return known?.kind === 'histogram' ? known.histogram : register(newHistogram(name, about, boundaries)).histogram
    },
    observe(name, about, read, attributes = NO_ATTRIBUTES, isMonotonic = false) {
      const known = instruments.get(name)
      const observed =
        known?.kind === 'observed'
          ? known
          : register({ kind: 'observed', name, about, isMonotonic, readings: new Map() })
      const shown = allowedAttributes(attributes)
      observed.readings.set(JSON.stringify(shown), { attributes: shown, read })
    },
    instruments: () => instruments.values(),
  }
}

function newCounter(name: string, about: string): Extract<Instrument, { kind: 'counter' }> {
  const table = seriesTable<CounterCell>(() => ({ total: 0 }))
  const counter: Counter = {
    add: (amount, attributes = NO_ATTRIBUTES) => void (table.cell(attributes).total += amount),
    bind(attributes) {
      const cell = table.cell(attributes)
      return { add: (amount) => void (cell.total += amount) }
    },
  }
  return { kind: 'counter', name, about, series: table.all, counter }
}

function newHistogram(
  name: string,
  about: string,
  boundaries: readonly number[],
): Extract<Instrument, { kind: 'histogram' }> {
  const table = seriesTable<HistogramCell>(() => ({
    counts: Array.from({ length: boundaries.length + 1 }, () => 0),
    count: 0,
    sum: 0,
  }))
  const histogram: Histogram = {
    record: (value, attributes = NO_ATTRIBUTES) => recordIn(table.cell(attributes), boundaries, value),
    bind(attributes) {
      const cell = table.cell(attributes)
      return { record: (value) => recordIn(cell, boundaries, value) }
    },
  }
  return { kind: 'histogram', name, about, boundaries, series: table.all, histogram }
}

function recordIn(cell: HistogramCell, boundaries: readonly number[], value: number): void {
  let index = 0
  while (index < boundaries.length && value > (boundaries[index] ?? Infinity)) index += 1
  cell.counts[index] = (cell.counts[index] ?? 0) + 1
  cell.count += 1
  cell.sum += value
}

interface SeriesTable<Cell> {
  cell(attributes: Attributes): Cell
  readonly all: () => Iterable<Series<Cell>>
}

function seriesTable<Cell>(empty: () => Cell): SeriesTable<Cell> {
  const seen = new Map<string, Cell>()
  const series = new Map<string, Series<Cell>>()
  function find(attributes: Attributes): Cell {
    const shown = series.size < SERIES_LIMIT ? allowedAttributes(attributes) : OVERFLOW
    const id = JSON.stringify(shown)
    const found = series.get(id) ?? { attributes: shown, cell: empty() }
    series.set(id, found)
    return found.cell
  }
  return {
    cell(attributes) {
      let signature = ''
      for (const key in attributes) signature += `${key}=${valueOf(attributes, key)};`
      const known = seen.get(signature)
      if (known !== undefined) return known
      const cell = find(attributes)
      if (seen.size < SERIES_LIMIT * 2) seen.set(signature, cell)
      return cell
    },
    all: () => series.values(),
  }
}

function valueOf(attributes: Readonly<Record<string, AttributeValue | undefined>>, key: string): string {
  return String(attributes[key])
}
