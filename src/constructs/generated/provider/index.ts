// Emitted from src/kinds by `npm run generate`; never edited by hand.

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { inThisEngine } from '../../engine/engine.ts';

// Configuration

export interface VexilProviderConfig {
  /**
  * Rules that never block, like `allow` of a resource: "approval_pending" (requesting a change again that already waits for approval in the service), "can_edit" (any change of a live flag and of its grants, while the service reports that this key may not edit it), "experiment" (deleting a flag or turning it off while an experiment runs on it), "feature" (deleting a flag or turning it off while it belongs to an early access feature), "rollback" (widening a flag that the service has turned off automatically), "soft_deleted" (renaming a flag to the key of a soft-deleted flag, which the service then destroys with its grants), "source_unreadable" (writing source files of a live plugin whose current files cannot be read for a comparison), "survey" (deleting a flag or turning it off while a survey uses it), "trail_unreadable" (giving a flag a key that a soft-deleted flag may have, which would be destroyed).
  */
  readonly allow?: ('approval_pending' | 'can_edit' | 'experiment' | 'feature' | 'rollback' | 'soft_deleted' | 'source_unreadable' | 'survey' | 'trail_unreadable')[];
  /**
  * The personal API key. Better set it with an environment variable. Or the environment variable VEXIL_API_KEY or VEXIL_API_KEY_FILE or POSTHOG_API_KEY or POSTHOG_API_KEY_FILE. A variable that ends in _FILE contains the path of a file with the key.
  */
  readonly apiKey?: string;
  /**
  * The base address of the service, without `/api` and without the path of a page. Or the environment variable VEXIL_BASE_URL or POSTHOG_HOST.
  */
  readonly baseUrl?: string;
  /**
  * Tags for every flag and event definition, in addition to its own `tags`.
  */
  readonly defaultTags?: string[];
  /**
  * The organization of all objects that do not set their own. Or the environment variable VEXIL_ORGANIZATION_ID or POSTHOG_ORGANIZATION_ID.
  */
  readonly organizationId?: string;
  /**
  * How many requests may run at the same time, from 1 to 64. Default: 8. Or the environment variable VEXIL_PARALLELISM.
  */
  readonly parallelism?: number;
  /**
  * The API profile of the service. "auto" (default): the first answers decide. "documented": as documented. "posthog": the public service of early 2024. "posthog-2026": the public service of autumn 2026. Or the environment variable VEXIL_PROFILE.
  */
  readonly profile?: 'auto' | 'documented' | 'posthog' | 'posthog-2026' | cdktf.IResolvable;
  /**
  * The project of all objects that do not set their own. Or the environment variable VEXIL_PROJECT_ID or POSTHOG_PROJECT_ID.
  */
  readonly projectId?: string;
  /**
  * The largest number of attempts for one request. Default: 5.
  */
  readonly retryAttempts?: number;
  /**
  * The largest number of retries for all requests together. Default: 50.
  */
  readonly retryBudget?: number;
  /**
  * Alias name
  */
  readonly alias?: string;
}

/**
* `vexil`, described in examples/terraform/docs/index.md
*/
export class VexilProvider extends cdktf.TerraformProvider {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "vexil";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a VexilProvider resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the VexilProvider to import
  * @param importFromId The id of the existing VexilProvider that should be imported. See examples/terraform/docs/index.md for the id to use
  * @param provider? Optional instance of the provider where the VexilProvider to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(inThisEngine(scope, importToId), importToId, { terraformResourceType: "vexil", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new `vexil`
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options VexilProviderConfig = {}
  */
  public constructor(scope: Construct, id: string, config: VexilProviderConfig = {}) {
    super(inThisEngine(scope, id), id, {
      terraformResourceType: 'vexil',
      terraformGeneratorMetadata: {
        providerName: 'vexil',
        providerVersionConstraint: '~> 0.1'
      },
      terraformProviderSource: 'vexil/vexil'
    });
    this._allow = config.allow;
    this._apiKey = config.apiKey;
    this._baseUrl = config.baseUrl;
    this._defaultTags = config.defaultTags;
    this._organizationId = config.organizationId;
    this._parallelism = config.parallelism;
    this._profile = config.profile;
    this._projectId = config.projectId;
    this._retryAttempts = config.retryAttempts;
    this._retryBudget = config.retryBudget;
    this._alias = config.alias;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // allow - computed: false, optional: true, required: false
  private _allow?: string[];
  public get allow() {
    return this._allow;
  }
  public set allow(value: string[] | undefined) {
    this._allow = value;
  }
  public resetAllow() {
    this._allow = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get allowInput() {
    return this._allow;
  }

  // api_key - computed: false, optional: true, required: false
  private _apiKey?: string;
  public get apiKey() {
    return this._apiKey;
  }
  public set apiKey(value: string | undefined) {
    this._apiKey = value;
  }
  public resetApiKey() {
    this._apiKey = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get apiKeyInput() {
    return this._apiKey;
  }

  // base_url - computed: false, optional: true, required: false
  private _baseUrl?: string;
  public get baseUrl() {
    return this._baseUrl;
  }
  public set baseUrl(value: string | undefined) {
    this._baseUrl = value;
  }
  public resetBaseUrl() {
    this._baseUrl = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get baseUrlInput() {
    return this._baseUrl;
  }

  // default_tags - computed: false, optional: true, required: false
  private _defaultTags?: string[];
  public get defaultTags() {
    return this._defaultTags;
  }
  public set defaultTags(value: string[] | undefined) {
    this._defaultTags = value;
  }
  public resetDefaultTags() {
    this._defaultTags = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get defaultTagsInput() {
    return this._defaultTags;
  }

  // organization_id - computed: false, optional: true, required: false
  private _organizationId?: string;
  public get organizationId() {
    return this._organizationId;
  }
  public set organizationId(value: string | undefined) {
    this._organizationId = value;
  }
  public resetOrganizationId() {
    this._organizationId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get organizationIdInput() {
    return this._organizationId;
  }

  // parallelism - computed: false, optional: true, required: false
  private _parallelism?: number;
  public get parallelism() {
    return this._parallelism;
  }
  public set parallelism(value: number | undefined) {
    this._parallelism = value;
  }
  public resetParallelism() {
    this._parallelism = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get parallelismInput() {
    return this._parallelism;
  }

  // profile - computed: false, optional: true, required: false
  private _profile?: string | cdktf.IResolvable;
  public get profile() {
    return this._profile;
  }
  public set profile(value: string | cdktf.IResolvable | undefined) {
    this._profile = value;
  }
  public resetProfile() {
    this._profile = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get profileInput() {
    return this._profile;
  }

  // project_id - computed: false, optional: true, required: false
  private _projectId?: string;
  public get projectId() {
    return this._projectId;
  }
  public set projectId(value: string | undefined) {
    this._projectId = value;
  }
  public resetProjectId() {
    this._projectId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get projectIdInput() {
    return this._projectId;
  }

  // retry_attempts - computed: false, optional: true, required: false
  private _retryAttempts?: number;
  public get retryAttempts() {
    return this._retryAttempts;
  }
  public set retryAttempts(value: number | undefined) {
    this._retryAttempts = value;
  }
  public resetRetryAttempts() {
    this._retryAttempts = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get retryAttemptsInput() {
    return this._retryAttempts;
  }

  // retry_budget - computed: false, optional: true, required: false
  private _retryBudget?: number;
  public get retryBudget() {
    return this._retryBudget;
  }
  public set retryBudget(value: number | undefined) {
    this._retryBudget = value;
  }
  public resetRetryBudget() {
    this._retryBudget = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get retryBudgetInput() {
    return this._retryBudget;
  }

  // alias - computed: false, optional: true, required: false
  private _alias?: string;
  public override get alias() {
    return this._alias;
  }
  public override set alias(value: string | undefined) {
    this._alias = value;
  }
  public resetAlias() {
    this._alias = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get aliasInput() {
    return this._alias;
  }

  // =========
  // SYNTHESIS
  // =========

  protected override synthesizeAttributes(): { [name: string]: any } {
    return {
      allow: cdktf.listMapper(cdktf.stringToTerraform, false)(this._allow),
      api_key: cdktf.stringToTerraform(this._apiKey),
      base_url: cdktf.stringToTerraform(this._baseUrl),
      default_tags: cdktf.listMapper(cdktf.stringToTerraform, false)(this._defaultTags),
      organization_id: cdktf.stringToTerraform(this._organizationId),
      parallelism: cdktf.numberToTerraform(this._parallelism),
      profile: cdktf.stringToTerraform(this._profile),
      project_id: cdktf.stringToTerraform(this._projectId),
      retry_attempts: cdktf.numberToTerraform(this._retryAttempts),
      retry_budget: cdktf.numberToTerraform(this._retryBudget),
      alias: cdktf.stringToTerraform(this._alias),
    };
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      allow: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._allow),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      api_key: {
        value: cdktf.stringToHclTerraform(this._apiKey),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      base_url: {
        value: cdktf.stringToHclTerraform(this._baseUrl),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      default_tags: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._defaultTags),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      organization_id: {
        value: cdktf.stringToHclTerraform(this._organizationId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      parallelism: {
        value: cdktf.numberToHclTerraform(this._parallelism),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      profile: {
        value: cdktf.stringToHclTerraform(this._profile),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      project_id: {
        value: cdktf.stringToHclTerraform(this._projectId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      retry_attempts: {
        value: cdktf.numberToHclTerraform(this._retryAttempts),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      retry_budget: {
        value: cdktf.numberToHclTerraform(this._retryBudget),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      alias: {
        value: cdktf.stringToHclTerraform(this._alias),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
