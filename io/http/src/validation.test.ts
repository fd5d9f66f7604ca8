import { ApiError } from '@sealpost/protocol'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { compileInspection, invalid } from './validation.ts'

const inspect = compileInspection(
  Type.Object(
    {
      id: Type.String({ format: 'uuid' }),
      count: Type.Integer({ minimum: 1 }),
      note: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
      state: Type.Optional(Type.Enum(['open', 'closed'])),
      items: Type.Optional(Type.Array(Type.Object({ kind: Type.Literal('x') }))),
    },
    { additionalProperties: false },
  ),
)
const good = { id: '01890a5d-ac96-774b-bcce-b302099a8057', count: 1 }

describe('the problems of an invalid body', () => {
  test('are empty for a valid one', () => {
    expect(inspect(good)).toBeNull()
  })

  test.each([
    [3, [{ path: '', message: 'must be an object' }]],
    [{ id: good.id }, [{ path: '/count', message: 'is required' }]],
    [{ ...good, count: '1' }, [{ path: '/count', message: 'must be an integer' }]],
    [{ ...good, count: 0 }, [{ path: '/count', message: 'must be >= 1' }]],
    [{ ...good, id: 'x' }, [{ path: '/id', message: 'must be a valid uuid' }]],
    [{ ...good, note: 5 }, [{ path: '/note', message: 'has none of the allowed shapes' }]],
    [{ ...good, state: 'half' }, [{ path: '/state', message: 'must be one of "open", "closed"' }]],
    [{ ...good, items: [{ kind: 'y' }] }, [{ path: '/items/0/kind', message: 'must be "x"' }]],
    [{ ...good, 'a/b~c': 1 }, [{ path: '/a~1b~0c', message: 'is not a known member' }]],
  ])('%j', (value, faults) => {
    expect(inspect(value)).toEqual(faults)
  })

  test('a refusal never repeats a value and stays small', () => {
    const refusal = invalid('body', inspect({ ...good, ['x'.repeat(10_000)]: 1, note: 'planted-value' }) ?? [])
    expect(refusal).toBeInstanceOf(ApiError)
    expect(JSON.stringify(refusal.body())).not.toContain('planted-value')
    expect(JSON.stringify(refusal.body()).length).toBeLessThan(1000)
  })
})
