import { frontDoor, open, region, type Row } from './who.ts'

/**
 * Who may call what: one line per route, written by hand. It checks the operations of the protocol, so it must never be
 * derived from them. A line follows from three things: the path patterns of a kind of client, the paths that are closed to
 * all clients, and the intended callers of the route.
 */
export const WHO_MAY_WHAT: Readonly<Record<string, Row>> = {
  // The data API of a service: only its data client, not even the company that owns it.
  'company_data.whoami': region('service'),
  'connections.list': region('service'),
  'connections.read': region('service'),
  'connections.end': region('service'),
  'connections.read_file': region('service'),
  'connections.request': region('service'),

  // Who is connected, without values: all callers who work with the service.
  'services.list_connections': region('account:service_management', 'portal', 'admin', 'operator'),
  'services.batch_keys': region('account:service_management', 'portal', 'admin', 'operator'),

  // Public keys: services seal to their customers, customers to companies.
  'keys.read': region('service', 'account:customer_connections', 'portal', 'admin', 'person'),
  'keys.read_service': region('service', 'account:customer_connections', 'portal', 'admin', 'person'),
  'keys.batch': region('service', 'account:customer_connections', 'portal', 'admin', 'person'),
  'company_data.drain_changes': region('service'),
  // The events of a company as a customer of others; persons have no feed.
  'customer.drain_changes': region('account:customer_connections', 'portal'),

  // The baseline of every account client. A delegate reads the account and cannot rename it.
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
  'account_security.read_device': region('portal', 'person'),
  'account_security.request_device_options': region('portal', 'person'),
  'account_security.add_device': region('portal', 'person'),
  'account_security.remove_device': region('portal', 'person'),
  'account_security.rename_device': region('portal', 'person'),
  'account_security.list_sessions': region('portal', 'person'),
  'account_security.end_session': region('portal', 'person'),
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

  'company_data.read_request_fields': region('service'),
  'company_data.publish_request_fields': region('service'),
  'company_data.list_logs': region('service'),

  // Services: the company and its automation; delegates read and configure the services they have access to, and
  // neither create nor delete one.
  'services.create': region('account:service_management', 'portal'),
  'services.list': region('account:service_management', 'portal', 'admin', 'operator'),
  'services.read': region('account:service_management', 'portal', 'admin', 'operator'),
  'services.change': region('account:service_management', 'portal', 'admin'),
  'services.delete': region('account:service_management', 'portal'),
  'services.change_share_code': region('account:service_management', 'portal', 'admin'),
  'services.change_admin_email': region('account:service_management', 'portal', 'admin'),
  'services.change_number_matching': region('account:service_management', 'portal', 'admin'),
  'services.change_require_2fa': region('account:service_management', 'portal', 'admin'),
  'services.read_private_key': region('account:service_management', 'portal', 'admin', 'operator'),
  'services.read_request_fields': region('account:service_management', 'portal', 'admin', 'operator'),
  'services.publish_request_fields': region('account:service_management', 'portal', 'admin'),
  'services.read_share_fields': region('account:service_management', 'portal', 'admin', 'operator'),
  'services.change_share_fields': region('account:service_management', 'portal', 'admin'),
  'services.add_share_photo': region('account:service_management', 'portal', 'admin'),
  'services.remove_share_photo': region('account:service_management', 'portal', 'admin'),
  'services.list_logs': region('account:service_management', 'portal', 'admin', 'operator'),

  // The data client of a service: all callers who may configure the service.
  'services.create_client': region('account:service_management', 'portal', 'admin'),
  'services.read_client': region('account:service_management', 'portal', 'admin'),
  'services.change_client': region('account:service_management', 'portal', 'admin'),
  'services.delete_client': region('account:service_management', 'portal', 'admin'),
  'services.regenerate_client_secret': region('account:service_management', 'portal', 'admin'),

  // Webhooks: all callers who work with the service read them; configuring them and moving their queues needs an admin.
  'webhooks.list': region('account:service_management', 'portal', 'admin', 'operator'),
  'webhooks.read': region('account:service_management', 'portal', 'admin', 'operator'),
  'webhooks.list_deliveries': region('account:service_management', 'portal', 'admin', 'operator'),
  'webhooks.create': region('account:service_management', 'portal', 'admin'),
  'webhooks.change': region('account:service_management', 'portal', 'admin'),
  'webhooks.delete': region('account:service_management', 'portal', 'admin'),
  'webhooks.regenerate_hmac_secret': region('account:service_management', 'portal', 'admin'),
  'webhooks.pause': region('account:service_management', 'portal', 'admin'),
  'webhooks.resume': region('account:service_management', 'portal', 'admin'),
  'webhooks.probe': region('account:service_management', 'portal', 'admin'),
  'webhooks.test': region('account:service_management', 'portal', 'admin'),
  'webhooks.replay': region('account:service_management', 'portal', 'admin'),

  // Sign-in apps belong to the company as a whole, not to one of its services.
  'oauth_apps.create': region('account:oauth_apps', 'portal'),
  'oauth_apps.list': region('account:oauth_apps', 'portal'),
  'oauth_apps.read': region('account:oauth_apps', 'portal'),
  'oauth_apps.change': region('account:oauth_apps', 'portal'),
  'oauth_apps.regenerate_secret': region('account:oauth_apps', 'portal'),
  'oauth_apps.delete': region('account:oauth_apps', 'portal'),

  // Contact fields: all callers who work with fields read them. Own fields and photos belong to the account as a whole.
  'registry.list_types': region('service', 'account', 'portal', 'admin', 'operator', 'person'),
  'registry.list_fields': region('service', 'account:company_profile_fields', 'portal', 'admin', 'operator', 'person'),
  'registry.read_field': region('service', 'account:company_profile_fields', 'portal', 'admin', 'operator', 'person'),
  'registry.create_field': region('account:company_profile_fields', 'portal', 'person'),
  'registry.change_field': region('account:company_profile_fields', 'portal', 'person'),
  'registry.delete_field': region('account:company_profile_fields', 'portal', 'person'),
  'photos.list': region('account:company_profile_fields', 'portal', 'person'),
  'photos.add': region('account:company_profile_fields', 'portal', 'person'),
  'photos.read': region('account:company_profile_fields', 'portal', 'person'),
  'photos.read_file': region('account:company_profile_fields', 'portal', 'person'),
  'photos.delete': region('account:company_profile_fields', 'portal', 'person'),

  // Recovery copies: two groups may store and list, only the company itself may open.
  'recovery.read_key': region('account:service_management', 'account:oauth_apps', 'portal'),
  'recovery.list_copies': region('account:service_management', 'account:oauth_apps', 'portal'),
  'recovery.store_copy': region('account:service_management', 'account:oauth_apps', 'portal'),
  'recovery.request_code': region('portal'),
  'recovery.open_copy': region('portal'),

  // Delegates: a delegate cannot add one.
  'delegates.list': region('account:delegate_management', 'portal'),
  'delegates.create': region('account:delegate_management', 'portal'),
  'delegates.read': region('account:delegate_management', 'portal'),
  'delegates.change': region('account:delegate_management', 'portal'),
  'delegates.delete': region('account:delegate_management', 'portal'),
  'delegates.hand_over_key': region('account:delegate_management', 'portal'),

  // A user asks for the own account, not for the company that the token acts for.
  'companies.list': region('portal', 'person'),

  'audit.list': region('portal'),

  // Values of fields: a person's own, sealed; a company's, plain. Only the owner may have them verified.
  'contact_data.list': region('account:company_profile_fields', 'portal', 'person'),
  'contact_data.read': region('account:company_profile_fields', 'portal', 'person'),
  'contact_data.read_file': region('account:company_profile_fields', 'portal', 'person'),
  'contact_data.put': region('account:company_profile_fields', 'portal', 'person'),
  'contact_data.delete': region('account:company_profile_fields', 'portal', 'person'),
  'contact_data.stage_share': region('account:company_profile_fields', 'portal', 'person'),
  'verifications.start': region('portal', 'person'),
  'verifications.confirm': region('portal', 'person'),
  'verifications.drop': region('portal', 'person'),

  // Connections as a customer: persons, and companies whose clients hold the group. Connect requests are for persons; the
  // others pass the gates and are refused by the route.
  'company_connections.look_up_service': region('account:customer_connections', 'portal', 'admin', 'person'),
  'company_connections.look_up_company': region('account:customer_connections', 'portal', 'admin', 'person'),
  'company_connections.create_offer_pass': region('account:customer_connections', 'portal', 'admin', 'person'),
  'company_connections.create_pass': region('account:customer_connections', 'portal', 'admin', 'person'),
  'company_connections.connect': region('account:customer_connections', 'portal', 'admin', 'person'),
  'company_connections.list': region('account:customer_connections', 'portal', 'admin', 'person'),
  'company_connections.read': region('account:customer_connections', 'portal', 'admin', 'person'),
  'company_connections.disconnect': region('account:customer_connections', 'portal', 'admin', 'person'),
  'company_connections.change_mappings': region('account:customer_connections', 'portal', 'admin', 'person'),
  'company_connections.list_consents': region('account:customer_connections', 'portal', 'admin', 'person'),
  'company_connections.provide_consent': region('account:customer_connections', 'portal', 'admin', 'person'),
  'company_connections.decline_consent': region('account:customer_connections', 'portal', 'admin', 'person'),
  'company_connections.read_card_photo': region('account:customer_connections', 'portal', 'admin', 'person'),
  'connect_requests.list_received': region('account:customer_connections', 'portal', 'admin', 'person'),
  'connect_requests.accept': region('account:customer_connections', 'portal', 'admin', 'person'),
  'connect_requests.reject': region('account:customer_connections', 'portal', 'admin', 'person'),

  // First-party login: the browser proves itself by origin, password and cookie.
  'session.read_params': open('front door'),
  'session.open': open('front door'),
  'session.refresh': open('front door'),
  'session.close': open('front door'),
  'account.register': open('front door'),
  'account.confirm_registration': open('front door'),

  // OAuth: clients authenticate themselves in the request. A region relays token requests.
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
  'oauth.create_pass': region('app', 'person'),

  // Discovery.
  'front_door.list_regions': open('front door'),
  'platform.read_health': open('both'),
  'reference.read_root': open('front door'),
  'reference.read_page': open('front door'),
  'reference.read_errors_page': open('front door'),
  'reference.read_company_data': open('front door'),
  'reference.read_account': open('front door'),
  'reference.read_customer': open('front door'),
  'reference.read_front_door': open('front door'),

  // Documents of a service, and the copies of its customers. Machine clients pass the gates and cannot sign or accept.
  'documents.create': region('service'),
  'documents.list': region('service'),
  'documents.read': region('service'),
  'documents.change': region('service'),
  'documents.delete': region('service'),
  'documents.upload_file': region('service'),
  'documents.read_file': region('service'),
  'customer_documents.list': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_documents.list_all': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_documents.read': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_documents.read_file': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_documents.send_code': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_documents.sign': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_documents.accept': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_documents.decline': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_documents.cancel': region('account:customer_connections', 'portal', 'admin', 'person'),

  // Messages: a service with its customers, a customer with its services.
  'messages.send': region('service'),
  'messages.list': region('service'),
  'messages.read': region('service'),
  'messages.delete': region('service'),
  'messages.broadcast': region('service'),
  'customer_messages.send': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_messages.list': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_messages.read': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_messages.delete': region('account:customer_connections', 'portal', 'admin', 'person'),

  // Hints to the devices of persons.
  'hints.stream': region('account:customer_connections', 'portal', 'admin', 'person'),
  'push.subscribe': region('portal', 'person'),
  'push.list': region('portal', 'person'),
  'push.unsubscribe': region('portal', 'person'),
  // Approval of logins. Companies reach the routes of customers and are refused there: persons only.
  'twofa.raise': region('service'),
  'twofa.poll': region('service'),
  'customer_twofa.list_challenges': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_twofa.approve': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_twofa.deny': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_twofa.report': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_twofa.list_enrollments': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_twofa.read_enrollment': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_twofa.revoke_enrollment': region('account:customer_connections', 'portal', 'admin', 'person'),
  // Flows are written in the portal: no client can reach these paths, and an operator only looks.
  'flows.list': region('portal', 'admin', 'operator'),
  'flows.create': region('portal', 'admin'),
  'flows.read': region('portal', 'admin', 'operator'),
  'flows.change': region('portal', 'admin'),
  'flows.delete': region('portal', 'admin'),
  'flows.validate': region('portal', 'admin', 'operator'),
  'flows.publish': region('portal', 'admin'),
  'flows.list_versions': region('portal', 'admin', 'operator'),
  'flows.add_asset': region('portal', 'admin'),
  'flows.list_assets': region('portal', 'admin', 'operator'),
  'flows.read_tags': region('portal', 'admin', 'operator'),
  'flows.delete_asset': region('portal', 'admin'),
  'flows.export': region('portal', 'admin', 'operator'),
  'flows.import': region('portal', 'admin'),
  'company_data.read_published_flow': region('service'),
  'services.read_published_flow': region('account:service_management', 'portal', 'admin', 'operator'),

  // Runs: the owner by its data client or a manager, customers by their own connection.
  'flow_runs.stage_file': region('service'),
  'flow_runs.start': region('service'),
  'flow_runs.list': region('service'),
  'flow_runs.read': region('service'),
  'flow_runs.answer': region('service'),
  'flow_runs.store_file': region('service'),
  'flow_runs.cancel': region('service'),
  'flow_runs.create_pass': region('service'),
  'flow_runs.read_slot_file': region('service'),
  'flow_runs.read_source': region('service'),
  'flow_links.read_file': region('service'),
  'service_runs.stage_file': region('account:service_management', 'portal', 'admin'),
  'service_runs.start': region('account:service_management', 'portal', 'admin'),
  'service_runs.list': region('account:service_management', 'portal', 'admin'),
  'service_runs.read': region('account:service_management', 'portal', 'admin'),
  'service_runs.answer': region('account:service_management', 'portal', 'admin'),
  'service_runs.store_file': region('account:service_management', 'portal', 'admin'),
  'service_runs.cancel': region('account:service_management', 'portal', 'admin'),
  'service_runs.create_pass': region('account:service_management', 'portal', 'admin'),
  'service_runs.read_source': region('account:service_management', 'portal', 'admin'),
  'customer_runs.list': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_runs.read': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_runs.answer': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_runs.store_file': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_runs.read_file': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_runs.cancel': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_runs.create_pass': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_runs.decline': region('account:customer_connections', 'portal', 'admin', 'person'),
  'flow_links.read': region('account:customer_connections', 'portal', 'admin', 'person'),
  'flow_links.put': region('account:customer_connections', 'portal', 'admin', 'person'),
  'flow_links.delete': region('account:customer_connections', 'portal', 'admin', 'person'),

  // The documents of runs; the company signs by users of its portal.
  'flow_runs.generate': region('service'),
  'flow_runs.store_input': region('service'),
  'flow_runs.read_document': region('service'),
  'flow_runs.read_only_document': region('service'),
  'service_runs.generate': region('account:service_management', 'portal', 'admin'),
  'service_runs.store_input': region('account:service_management', 'portal', 'admin'),
  'customer_runs.generate': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_runs.store_input': region('account:customer_connections', 'portal', 'admin', 'person'),
  'customer_runs.read_document': region('account:customer_connections', 'portal', 'admin', 'person'),
  'owner_documents.read_file': region('portal', 'admin'),
  'owner_documents.send_code': region('portal', 'admin'),
  'owner_documents.sign': region('portal', 'admin'),
  'owner_documents.accept': region('portal', 'admin'),
  'owner_documents.decline': region('portal', 'admin'),

  // The records of a service, in the portal: the company alone deletes what it keeps of a deleted one.
  'portal_documents.list': region('portal', 'admin'),
  'portal_documents.read': region('portal', 'admin'),
  'portal_documents.read_file': region('portal', 'admin'),
  'portal_documents.delete': region('portal'),
  'portal_runs.list': region('portal', 'admin'),
  'portal_runs.read': region('portal', 'admin'),
  'portal_runs.delete': region('portal'),

  // Plugins.
  'plugins.list': region('portal'),
  'plugins.create': region('portal'),
  'plugins.enable_builtin': region('portal'),
  'plugins.change': region('portal'),
  'plugins.create_registry_pass': region('portal'),
  'plugins.delete': region('portal'),

  // What waits in all services that the caller may open.
  'portal.list_attention': region('portal', 'admin', 'operator'),
}
