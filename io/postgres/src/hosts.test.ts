import { expect, test } from 'vitest'
import { hostOf, splitHosts } from './hosts.ts'

test('every host of a list gets the user, the database and the options', () => {
  expect(splitHosts('postgres://u:p%40ss@a:1,[::1]:2,c/db?sslmode=require')).toEqual([
    'postgres://u:p%40ss@a:1/db?sslmode=require',
    'postgres://u:p%40ss@[::1]:2/db?sslmode=require',
    'postgres://u:p%40ss@c/db?sslmode=require',
  ])
})

test('messages name the hosts and never the password', () => {
  expect(hostOf('postgresql://u:hidden@a:1,b:2/db')).toBe('a:1,b:2')
})

test('anything else than a database URL is refused with an example', () => {
  expect(() => splitHosts('mysql://a/db')).toThrow('a database URL looks like')
})
