import { expect, test } from 'vitest'
import {
  arrive,
  board,
  createFlight,
  depart,
  findLane,
  type Flight,
  type LaneFlight,
  nextStretches,
  quietLanes,
  rewind,
  rowsUnderWay,
} from './flight.ts'

const limits = { lanes: 3, rows: 12, rowsPerLane: 8, rowsPerTurn: 20 }

function boarded(flight: Flight, key: string, lastSeq: number): LaneFlight {
  board(flight, { key, incarnation: 1, lastSeq, confirmedSeq: 0, hasFailed: false }, 0)
  const lane = findLane(flight, { key, incarnation: 1 })
  if (lane === null) throw new Error('no room')
  return lane
}

function sendAllPossible(flight: Flight): void {
  for (const { key, incarnation, afterSeq, room } of nextStretches(flight)) {
    const lane = findLane(flight, { key, incarnation })
    if (lane === null) continue
    for (let seq = afterSeq + 1; seq <= afterSeq + room; seq += 1) depart(lane, seq)
  }
}

test('a large lane leaves room for others, and all together stay within the limit', () => {
  const flight = createFlight(limits)
  const large = boarded(flight, 'large', 1000)
  const small = boarded(flight, 'small', 1)
  sendAllPossible(flight)
  expect(large.sentSeq).toBe(6)
  expect(small.sentSeq).toBe(1)
  sendAllPossible(flight)
  sendAllPossible(flight)
  expect(large.sentSeq).toBe(8)
  expect(rowsUnderWay(flight)).toBeLessThanOrEqual(limits.rows)
})

test('rows are sent in order without a gap', () => {
  const lane = boarded(createFlight(limits), 'k', 5)
  expect(depart(lane, 2)).toBe(false)
  expect(depart(lane, 1)).toBe(true)
  expect(depart(lane, 1)).toBe(false)
  expect(lane.sentSeq).toBe(1)
})

test('a lane is removed when everything is confirmed, and stays while a row is unconfirmed or left', () => {
  const flight = createFlight(limits)
  const lane = boarded(flight, 'k', 3)
  sendAllPossible(flight)
  arrive(flight, lane, 2, 1)
  expect(flight.lanes.size).toBe(1)
  board(flight, { key: 'k', incarnation: 1, lastSeq: 4, confirmedSeq: 2, hasFailed: false }, 1)
  arrive(flight, lane, 3, 1)
  expect(flight.lanes.size).toBe(1)
  sendAllPossible(flight)
  arrive(flight, lane, 4, 1)
  expect(flight.lanes.size).toBe(0)
})

test('a lane with a backlog gives up its place after its quota', () => {
  const flight = createFlight(limits)
  const lane = boarded(flight, 'k', 1000)
  while (flight.lanes.size > 0) {
    sendAllPossible(flight)
    arrive(flight, lane, lane.sentSeq, 1)
  }
  expect(lane.sentThisTurn).toBe(limits.rowsPerTurn)
})

test('a rewound lane is sent again from the confirmed row on, as another attempt', () => {
  const flight = createFlight(limits)
  const lane = boarded(flight, 'k', 5)
  sendAllPossible(flight)
  arrive(flight, lane, 2, 1)
  const attempt = lane.attempt
  rewind(flight, lane, 2)
  expect(lane.attempt).toBeGreaterThan(attempt)
  expect(nextStretches(flight)).toEqual([{ key: 'k', incarnation: 1, afterSeq: 2, room: 3 }])
})

test('a lane that is added again is another attempt too: the carrier must not treat it as a repetition', () => {
  const flight = createFlight(limits)
  const first = boarded(flight, 'k', 1)
  depart(first, 1)
  arrive(flight, first, 1, 1)
  expect(boarded(flight, 'k', 2).attempt).not.toBe(first.attempt)
})

test('silence is detected later with every rewind, and a confirmation resets that', () => {
  const flight = createFlight(limits)
  const lane = boarded(flight, 'k', 5)
  sendAllPossible(flight)
  expect(quietLanes(flight, 3000)).toEqual([])
  expect(quietLanes(flight, 5000)).toEqual([lane])
  rewind(flight, lane, 5000, 1)
  sendAllPossible(flight)
  expect(rowsUnderWay(flight)).toBe(1)
  expect(quietLanes(flight, 10_000)).toEqual([])
  expect(quietLanes(flight, 14_000)).toEqual([lane])
  arrive(flight, lane, 1, 14_000)
  sendAllPossible(flight)
  expect(rowsUnderWay(flight)).toBe(2)
  expect(quietLanes(flight, 19_000)).toEqual([lane])
})
