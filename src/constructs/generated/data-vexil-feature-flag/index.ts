// Emitted from src/kinds by `npm run generate`; never edited by hand.

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { inThisEngine, registerConstruct } from '../../engine/engine.ts';

// Configuration

export interface DataVexilFeatureFlagConfig extends cdktf.TerraformMetaArguments {
  /**
  * The id of the flag. Set either this or `key`.
  *
  * Please be aware that the id field is automatically added to all resources in Terraform providers using a Terraform provider SDK version below 2.
  * If you experience problems setting this value it might not be settable. Please take a look at the provider documentation to ensure it should be settable.
  */
  readonly id?: string;
  /**
  * The key that code uses. Unique in a project, case-sensitive. Set either this or `id`.
  */
  readonly key?: string;
  /**
  * The project to search. Default: the provider's project.
  */
  readonly projectId?: string;
}

/**
* `vexil_feature_flag`, described in examples/terraform/docs/data-sources/feature_flag.md
*/
export class DataVexilFeatureFlag extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "vexil_feature_flag";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataVexilFeatureFlag resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataVexilFeatureFlag to import
  * @param importFromId The id of the existing DataVexilFeatureFlag that should be imported. See examples/terraform/docs/data-sources/feature_flag.md for the id to use
  * @param provider? Optional instance of the provider where the DataVexilFeatureFlag to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(inThisEngine(scope, importToId), importToId, { terraformResourceType: "vexil_feature_flag", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new `vexil_feature_flag`
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataVexilFeatureFlagConfig = {}
  */
  public constructor(scope: Construct, id: string, config: DataVexilFeatureFlagConfig = {}) {
    super(inThisEngine(scope, id), id, {
      terraformResourceType: 'vexil_feature_flag',
      terraformGeneratorMetadata: {
        providerName: 'vexil',
        providerVersionConstraint: '~> 0.1'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    registerConstruct(this);
    this._id = config.id;
    this._key = config.key;
    this._projectId = config.projectId;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // active - computed: true, optional: false, required: false
  public get active() {
    return this.getBooleanAttribute('active');
  }

  // analytics_dashboards - computed: true, optional: false, required: false
  public get analyticsDashboards() {
    return this.getNumberListAttribute('analytics_dashboards');
  }

  // archived - computed: true, optional: false, required: false
  public get archived() {
    return this.getBooleanAttribute('archived');
  }

  // bucketing_identifier - computed: true, optional: false, required: false
  public get bucketingIdentifier() {
    return this.getStringAttribute('bucketing_identifier');
  }

  // can_edit - computed: true, optional: false, required: false
  public get canEdit() {
    return this.getBooleanAttribute('can_edit');
  }

  // created_at - computed: true, optional: false, required: false
  public get createdAt() {
    return this.getStringAttribute('created_at');
  }

  // created_by - computed: true, optional: false, required: false
  public get createdBy() {
    return this.getStringAttribute('created_by');
  }

  // deleted - computed: true, optional: false, required: false
  public get deleted() {
    return this.getBooleanAttribute('deleted');
  }

  // ensure_experience_continuity - computed: true, optional: false, required: false
  public get ensureExperienceContinuity() {
    return this.getBooleanAttribute('ensure_experience_continuity');
  }

  // evaluation_contexts - computed: true, optional: false, required: false
  public get evaluationContexts() {
    return cdktf.Fn.tolist(this.getListAttribute('evaluation_contexts'));
  }

  // evaluation_runtime - computed: true, optional: false, required: false
  public get evaluationRuntime() {
    return this.getStringAttribute('evaluation_runtime');
  }

  // experiment_set - computed: true, optional: false, required: false
  public get experimentSet() {
    return this.getNumberListAttribute('experiment_set');
  }

  // experiment_set_metadata - computed: true, optional: false, required: false
  public get experimentSetMetadata() {
    return this.getStringAttribute('experiment_set_metadata');
  }

  // features - computed: true, optional: false, required: false
  public get features() {
    return this.getStringAttribute('features');
  }

  // filters - computed: true, optional: false, required: false
  public get filters() {
    return this.getStringAttribute('filters');
  }

  // has_encrypted_payloads - computed: true, optional: false, required: false
  public get hasEncryptedPayloads() {
    return this.getBooleanAttribute('has_encrypted_payloads');
  }

  // has_enriched_analytics - computed: true, optional: false, required: false
  public get hasEnrichedAnalytics() {
    return this.getBooleanAttribute('has_enriched_analytics');
  }

  // id - computed: true, optional: true, required: false
  private _id?: string;
  public get id() {
    return this.getStringAttribute('id');
  }
  public set id(value: string) {
    this._id = value;
  }
  public resetId() {
    this._id = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get idInput() {
    return this._id;
  }

  // is_remote_configuration - computed: true, optional: false, required: false
  public get isRemoteConfiguration() {
    return this.getBooleanAttribute('is_remote_configuration');
  }

  // is_simple_flag - computed: true, optional: false, required: false
  public get isSimpleFlag() {
    return this.getBooleanAttribute('is_simple_flag');
  }

  // key - computed: true, optional: true, required: false
  private _key?: string;
  public get key() {
    return this.getStringAttribute('key');
  }
  public set key(value: string) {
    this._key = value;
  }
  public resetKey() {
    this._key = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get keyInput() {
    return this._key;
  }

  // name - computed: true, optional: false, required: false
  public get name() {
    return this.getStringAttribute('name');
  }

  // performed_rollback - computed: true, optional: false, required: false
  public get performedRollback() {
    return this.getBooleanAttribute('performed_rollback');
  }

  // project_id - computed: false, optional: true, required: false
  private _projectId?: string;
  public get projectId() {
    return this.getStringAttribute('project_id');
  }
  public set projectId(value: string) {
    this._projectId = value;
  }
  public resetProjectId() {
    this._projectId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get projectIdInput() {
    return this._projectId;
  }

  // rollback_conditions - computed: true, optional: false, required: false
  public get rollbackConditions() {
    return this.getStringAttribute('rollback_conditions');
  }

  // rollout_percentage - computed: true, optional: false, required: false
  public get rolloutPercentage() {
    return this.getNumberAttribute('rollout_percentage');
  }

  // surveys - computed: true, optional: false, required: false
  public get surveys() {
    return this.getStringAttribute('surveys');
  }

  // tags - computed: true, optional: false, required: false
  public get tags() {
    return cdktf.Fn.tolist(this.getListAttribute('tags'));
  }

  // usage_dashboard - computed: true, optional: false, required: false
  public get usageDashboard() {
    return this.getNumberAttribute('usage_dashboard');
  }

  // user_access_level - computed: true, optional: false, required: false
  public get userAccessLevel() {
    return this.getStringAttribute('user_access_level');
  }

  // =========
  // SYNTHESIS
  // =========

  protected override synthesizeAttributes(): { [name: string]: any } {
    return {
      id: cdktf.stringToTerraform(this._id),
      key: cdktf.stringToTerraform(this._key),
      project_id: cdktf.stringToTerraform(this._projectId),
    };
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      id: {
        value: cdktf.stringToHclTerraform(this._id),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      key: {
        value: cdktf.stringToHclTerraform(this._key),
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
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
