import type { Example, Examples, Making, Parts } from '../example.ts'
import { connectionOf } from './company-connections.ts'
import { withConnection } from './connections.ts'

const NO_FLOW = '019a0000-0000-7000-8000-00000000dead'

// No answer is linked: the refusal proves that the caller passed the gates. Links of others are refused in the tests of
// the module.
const ofLink = (body?: Parts['body']): Example => ({
  notObjects: ['flowId', 'slug'],
  ofAccount: true,
  make: async (making: Making) => ({
    params: { id: await connectionOf(making), flowId: NO_FLOW, slug: 'proof' },
    ...(body === undefined ? {} : { body }),
  }),
  answers: () => ({ status: 404, key: 'flows.link_not_found' }),
})

export const flowLinkExamples: Examples = {
  'flow_links.read': ofLink(),
  'flow_links.put': ofLink({ source_field_id: NO_FLOW, value: 'x' }),
  'flow_links.delete': ofLink(),
  'flow_links.read_file': {
    notObjects: ['flowId', 'slug'],
    make: async (making) => {
      const { params } = await withConnection(making)
      return { params: { ...params, flowId: NO_FLOW, slug: 'proof' } }
    },
    answers: () => ({ status: 404, key: 'company_data.file_not_found' }),
  },
}
