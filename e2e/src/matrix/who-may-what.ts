import { frontDoor, open, region, type Row } from './who.ts'

/**
 * Who may call what: one line per route, written by hand. It is a second opinion on the operations of the protocol, so
 * it must never be derived from them. A line is decided by three things together: the path patterns that a kind of
 * client holds, the list of paths that no client ever gets, and whom the route is meant for.
 */
export const WHO_MAY_WHAT: Readonly<Record<string, Row>> = {
  // The data API of a service: its data client and nobody else, not even the company that owns it.
  'company_data.whoami': region('service'),

  // The baseline of every account client. A delegate sees whose portal it is and cannot rename it.
  'account.read': region('account', 'portal', 'admin', 'operator', 'person'),
  'account.read_profile': region('account', 'portal', 'admin', 'operator', 'person'),
  'account.change_profile': region('account', 'portal', 'person'),

  // Keys that a password wraps: the owner alone. The first belongs to companies, the bundle to persons.
  'account.read_key': region('portal'),
  'account.read_profile_keys': region('person'),
  'account.store_profile_keys': region('person'),

  // Account security: never a client, never a delegate.
  'account_security.read_second_factor': region('portal', 'person'),
  'account_security.enable_second_factor': region('portal', 'person'),
  'account_security.disable_second_factor': region('portal', 'person'),
  'account_security.list_devices': region('portal', 'person'),
  'account_security.request_device_options': region('portal', 'person'),
  'account_security.add_device': region('portal', 'person'),
  'account_security.remove_device': region('portal', 'person'),
  'account_security.change_password': region('portal', 'person'),
  'account_security.change_email': region('portal', 'person'),
  'account_security.confirm_email': region('portal', 'person'),
  'account_security.request_deletion': region('portal', 'person'),
  'account_security.confirm_deletion': region('portal', 'person'),

  // The client registry: portal login only, so that no client can make or widen one.
  'account_clients.create': region('portal'),
  'account_clients.list': region('portal'),
  'account_clients.change_capabilities': region('portal'),
  'account_clients.regenerate_secret': region('portal'),
  'account_clients.delete': region('portal'),

  // The data client of a service: whoever may set the service up.
  'services.create_client': region('account:service_management', 'portal', 'admin'),
  'services.read_client': region('account:service_management', 'portal', 'admin'),
  'services.change_client': region('account:service_management', 'portal', 'admin'),
  'services.delete_client': region('account:service_management', 'portal', 'admin'),
  'services.regenerate_client_secret': region('account:service_management', 'portal', 'admin'),

  // Sign-in apps belong to the company as a whole, not to one of its services.
  'oauth_apps.create': region('account:oauth_apps', 'portal'),
  'oauth_apps.list': region('account:oauth_apps', 'portal'),
  'oauth_apps.read': region('account:oauth_apps', 'portal'),
  'oauth_apps.change': region('account:oauth_apps', 'portal'),
  'oauth_apps.regenerate_secret': region('account:oauth_apps', 'portal'),
  'oauth_apps.delete': region('account:oauth_apps', 'portal'),

  // Recovery copies: two groups may store and list, only the company itself may open.
  'recovery.read_key': region('account:service_management', 'account:oauth_apps', 'portal'),
  'recovery.list_copies': region('account:service_management', 'account:oauth_apps', 'portal'),
  'recovery.store_copy': region('account:service_management', 'account:oauth_apps', 'portal'),
  'recovery.request_code': region('portal'),
  'recovery.open_copy': region('portal'),

  // Delegates: a delegate lets nobody in.
  'delegates.list': region('account:delegate_management', 'portal'),
  'delegates.create': region('account:delegate_management', 'portal'),
  'delegates.delete': region('account:delegate_management', 'portal'),
  'delegates.hand_over_key': region('account:delegate_management', 'portal'),

  'audit.list': region('portal'),

  // First-party login: the browser proves itself by origin, password and cookie.
  'session.read_params': open('front door'),
  'session.open': open('front door'),
  'session.refresh': open('front door'),
  'session.close': open('front door'),
  'account.register': open('front door'),
  'account.confirm_registration': open('front door'),

  // OAuth: clients authenticate themselves in the request. A region passes token requests of its own clients on.
  'oauth.request_token': open('both'),
  'oauth.revoke_token': open('front door'),
  'oauth.poll_result': open('front door'),
  'oauth.read_jwks': open('front door'),
  'oauth.read_server_metadata': open('front door'),
  'oauth.read_openid_configuration': open('front door'),
  // The JSON form, which the person app uses. Browsers without a token get a page or a redirect.
  'oauth.start_authorization': frontDoor('person'),
  'oauth.complete_authorization': frontDoor('person'),
  'oauth.read_user_info': { at: 'both', may: ['app'] },

  // Discovery.
  'front_door.list_regions': open('front door'),
  'platform.read_health': open('both'),
  'reference.read_page': open('front door'),
  'reference.read_company_data': open('front door'),
  'reference.read_account': open('front door'),
  'reference.read_customer': open('front door'),
  'reference.read_front_door': open('front door'),
}
