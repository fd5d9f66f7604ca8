/** What a member of an answer can decide for a client. */
export type Kind = 'key' | 'address' | 'text' | 'privacy' | 'secret' | 'definition'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Members that decide something, by name. A lie about one of them has to be refused, or listed. */
const CHOOSING: Readonly<Record<Kind, readonly string[]>> = {
  key: words(`public_key person_public_key public_key_sha256 application_server_key key_rollovers previous_sha256
    kty crv x y n e kid keys`),
  address: words(`url forwarder_url api_url token_endpoint jwks_uri redirect_uri redirect_uris redirect_to provider_url
    management_url otpauth_url value_url base_url issuer iss origin host`),
  text: words(
    `claims_delivery value data body encrypt_payload sender_signature verified_statement verified_hash reply`,
  ),
  privacy: words(`is_private encrypted private private_slugs values_private user_type usertype detached confidential
    public mode`),
  secret: words(`kdf alg salt iter memory_kib passes encrypted_private_key encrypted_recovery_key sealed_passphrase`),
  definition: words(`definition snapshot specs request_fields claims bindings parties participants mappings
    device_record content_sha256 plain_sha256 source_files challenge assertion_challenge`),
}

/** Members that decide none of this: names, times, counts, states, ids, what is shown. */
const HARMLESS = new Set(
  words(`_enc access_token acknowledged_up_to acted_at action actor_id actor_name address admin_email answers app
    asset_key at audience auth_header_name auth_header_value auth_password auth_token auth_type auth_username
    awaiting_party backlog_count backlog_oldest_at backup_codes backup_codes_left blocks broadcast broadcast_id
    builtin builtin_key bytes can_be_cancelled_in_app cancel_effective_date cancel_notice_days cancel_reason
    cancelled_at cancelled_by capabilities challenge_id challenges changes check client_id client_secret code
    company company_connection_id company_id company_name company_profile company_share_code company_user_id
    completed_at condition config_token connect_requests connected connected_at connection_id connections
    consent_id consents constants context created_at currency current current_node customer_type d data_deleted_at
    declined deleted_at depends_on description details device_name display_name document_id document_status
    documents documents_total done draft_token duration_ms edges elements email email_verified enabled enabled_at
    enrolled enrolled_at enrollments entry error_class error_key event event_id events expired expired_at
    expires_at expires_in expr field_id field_type field_types fields file flow_id flow_name flow_run_id
    flow_version font font_size for_user_id format from grant_types has_more health height hmac_secret
    hmac_secret_once http_status id id_token in_use info input inputs interval ip is_system issues items iv k key
    keyed_services kind known label lane lanes language language_party last_error last_refresh last_seen_at
    last_used_at left leftovers level linked_at live mandatory mandatory_connected mandatory_provide
    matching_digits message message_id metadata method mime_type missing name next_cursor nodes note
    number_matching offer one_time openapi options original_name output_key output_mode outputs owner
    owner_tag_values page pages parent party party_key pass path paths paused payload_kind pending_consent
    person_id person_user_id photo_ids plan_name plugin plugin_id plugin_name plugins position
    previous_valid_until price progress provided_at provider public_tags publishable published_at published_by
    published_version purpose queued quota_bytes read_at reason recipients ref ref_id reference_date refresh_token
    region registration_token renewal_date renewal_term request_field_id request_field_types request_id
    require_2fa required required_capability required_level requires_acceptance requires_signature resolved_type
    result_type retry_at role run_signatures runs scope sealed sealed_at secret service service_code
    service_field_id service_id service_link_id service_name service_share_code services severity share_code
    shared shown_on signable signature signatures signed_at signer_first_name signer_last_name
    signer_name_verified since size slug slugs sort source source_field_id source_key source_user_id stale state
    status storage stored_bytes sub suggest t tag_values tags text title to token token_type top total truncated
    two_factor type unexpected unknown unread_count unreadable updated_at use user_agent user_id v valid_until
    validation value_count values values_attestation verification_id verified verified_at verified_expires_at
    verified_max_age_days verified_method verified_provider verified_salt version warnings width`),
)

const kinds = new Map<string, Kind>()
for (const [kind, names] of Object.entries(CHOOSING)) for (const name of names) if (isKind(kind)) kinds.set(name, kind)

function isKind(text: string): text is Kind {
  return Object.hasOwn(CHOOSING, text)
}

export function kindOf(name: string): Kind | null {
  return kinds.get(name) ?? null
}

/** A name that this file does not know: decide whether it chooses something, and add it. */
export function isUnknown(name: string): boolean {
  return !kinds.has(name) && !HARMLESS.has(name)
}

/** Names of this file that no answer has. */
export function namesWithout(used: ReadonlySet<string>): readonly string[] {
  return [...kinds.keys(), ...HARMLESS].filter((name) => !used.has(name))
}
