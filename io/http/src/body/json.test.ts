import { describe, expect, test } from 'vitest'
import { readJson } from './json.ts'

const read = (text: string) => readJson(Buffer.from(text))

describe('readJson', () => {
  test('reads the same values as JSON.parse', () => {
    expect(read('{"a":[1,"é",null,true,{"b":1e3}]}')).toEqual({
      ok: true,
      value: { a: [1, 'é', null, true, { b: 1000 }] },
    })
  })

  test.each(['', '{', '{"a":}', "{'a':1}", '[1,]', 'nul', '{"a":1}x', '\ufeff{}', '{"a":"\n"}', 'NaN', '01'])(
    '%j is not valid JSON',
    (text) => {
      expect(read(text)).toEqual({ ok: false, refusal: { path: '', message: 'is not valid JSON' } })
    },
  )

  test('invalid UTF-8 is refused, not replaced', () => {
    expect(readJson(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ ok: false })
  })

  test('text that PostgreSQL cannot store is refused with its location', () => {
    expect(read(String.raw`{"a/b":[1,"x\u0000"]}`)).toMatchObject({ refusal: { path: '/a~1b/1' } })
    expect(read(String.raw`{"a":"\ud800"}`)).toMatchObject({ refusal: { path: '/a' } })
    expect(read(String.raw`{"\u0000":1}`)).toMatchObject({ ok: false })
    expect(read(String.raw`{"a":"\ud83d\ude00"}`)).toEqual({ ok: true, value: { a: '😀' } })
  })

  test('nesting that would overflow a recursion is refused', () => {
    expect(read('['.repeat(100_000) + ']'.repeat(100_000))).toMatchObject({ ok: false })
    expect(read('{"a":'.repeat(5000) + '1' + '}'.repeat(5000))).toMatchObject({ ok: false })
    expect(read('[{"__proto__":'.repeat(50_000) + '1' + '}]'.repeat(50_000))).toMatchObject({ ok: false })
    expect(read('['.repeat(256) + ']'.repeat(256))).toMatchObject({ ok: true })
  })

  test.each([String.raw`{"__proto__":{"isAdmin":true},"a":1}`, String.raw`{"\u005f_proto__":{"isAdmin":true},"a":1}`])(
    '%s leaves no trace of its prototype',
    (text) => {
      const value = read(text)
      expect(value).toEqual({ ok: true, value: { a: 1 } })
      expect(value.ok && Object.assign({}, value.value)).not.toHaveProperty('isAdmin')
    },
  )
})
