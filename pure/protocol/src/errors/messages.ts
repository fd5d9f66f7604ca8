import { area } from './entry.ts'

/** Messages between a service and its customers. */
export const messagesErrors = area({
  'messages.messaging_not_entitled': {
    status: 403,
    sentence: 'The account level does not include messages',
    remedy: 'Move the account to basic or above.',
  },
  'messages.not_connected': {
    status: 403,
    sentence: 'There is no active connection between the two parties',
    remedy: 'Messages need an active connection; connect again first.',
  },
  'messages.messaging_suspended': {
    status: 403,
    sentence: 'The operator has suspended messages from this service',
    remedy: 'Contact the operator of the platform.',
  },
  'messages.broadcast_suspended': {
    status: 403,
    sentence: 'The operator has suspended broadcasts from this service',
    remedy: 'Contact the operator of the platform; messages to single persons still work.',
  },
  'messages.broadcast_audience_too_large': {
    status: 422,
    sentence: 'The service has more connections than one broadcast may reach',
    remedy: 'Ask the operator about the limit, or send to single connections.',
  },
  'messages.rate_limited': {
    status: 429,
    sentence: 'Too many messages in a short time',
    remedy: 'Wait the seconds in `Retry-After`.',
  },
})
