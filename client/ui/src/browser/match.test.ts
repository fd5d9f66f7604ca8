import { expect, test } from 'vitest'
import { matchRoute } from './match.ts'
import { linksTo } from './routes.ts'

const table = { home: '/', field: '/data/:field', answer: '/connect/:company/:service' } as const

test('a path finds its page and the parts of it', () => {
  expect(matchRoute(table, '/')).toEqual({ name: 'home', params: {} })
  expect(matchRoute(table, '/data/a%2Fb')).toEqual({ name: 'field', params: { field: 'a/b' } })
  expect(matchRoute(table, '/connect/NRTHWD/INTAKE')?.params).toEqual({ company: 'NRTHWD', service: 'INTAKE' })
  expect(matchRoute(table, '/data/%ff')?.params).toEqual({ field: '%ff' })
  for (const path of ['/data', '/data/a/b', '/elsewhere']) expect(matchRoute(table, path)).toBeNull()
})

test('a link leads to the page that it names', () => {
  const href = linksTo(table)
  expect(href('home')).toBe('/')
  expect(href('field', { field: 'a/b' })).toBe('/data/a%2Fb')
  // @ts-expect-error -- a page with a part needs it
  expect(href('field')).toBe('/data/')
})
